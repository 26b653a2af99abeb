package sensitivity

import (
	"errors"
	"math"
	"slices"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// Reading is what was measured at one point.
type Reading struct {
	Point Point   `json:"point"`
	Type  int     `json:"type"` // readings of the same type are not independent
	Ns    float64 `json:"ns"`

	spread run.Estimate // Ns with its interval
}

// The forms of models.
const (
	Linear = "linear" // ns = base + a cost for each unit of each factor
	Power  = "power"  // log ns = base + an exponent for each factor's 1 + value
)

// Coefficient is the effect of one factor, with its 95% interval.
type Coefficient struct {
	Factor        string `json:"factor"` // "" for the base
	Point, Lo, Hi float64
}

// Model says how the time of one operation of a codec depends on the shape of messages.
type Model struct {
	Form   string         `json:"form"`
	Coefs  []*Coefficient `json:"coefficients"`
	Median float64        `json:"median_error"` // median relative error of predictions for types that the fit left out
	Worst  float64        `json:"p90_error"`    // 90% quantile of that error
}

// Fit fits both forms. It returns the model that better predicts types that the fit did not
// include, because errors on the fitted types would look too small.
func Fit(list []Reading) (*Model, error) {
	var best *Model
	for _, form := range []string{Linear, Power} {
		m, err := fit(form, list)
		if err != nil {
			return nil, err
		}
		if best == nil || m.Median < best.Median {
			best = m
		}
	}
	return best, nil
}

// fit estimates the coefficients by least squares of relative errors. Their intervals come from a
// jackknife over types (Miller 1974), since readings of one type have correlated errors. The
// model's error is that of predicting each type from the others.
func fit(form string, list []Reading) (*Model, error) {
	all := solve(form, list)
	if all == nil {
		return nil, errors.New("the points do not tell the factors apart")
	}
	var types []int
	for _, x := range list {
		if !slices.Contains(types, x.Type) {
			types = append(types, x.Type)
		}
	}
	var without [][]float64
	var wrong []float64
	for _, t := range types {
		rest := slices.DeleteFunc(slices.Clone(list), func(x Reading) bool { return x.Type == t })
		beta := solve(form, rest)
		if beta == nil {
			continue // without this type a factor does not vary
		}
		without = append(without, beta)
		for _, x := range list {
			if x.Type == t {
				wrong = append(wrong, math.Abs(value(form, beta, &x.Point)/x.Ns-1))
			}
		}
	}
	g := float64(len(without))
	if g < 4 {
		return nil, errors.New("too few types for an error to be told")
	}
	m := &Model{Form: form}
	for j, point := range all {
		mean, sum := 0.0, 0.0
		for _, b := range without {
			mean += b[j] / g
		}
		for _, b := range without {
			sum += (b[j] - mean) * (b[j] - mean)
		}
		half := stats.StudentQuantile(0.975, g-1) * math.Sqrt((g-1)/g*sum)
		c := &Coefficient{Point: point, Lo: point - half, Hi: point + half}
		if j > 0 {
			c.Factor = factors[j-1].Name
		}
		m.Coefs = append(m.Coefs, c)
	}
	slices.Sort(wrong)
	m.Median, m.Worst = stats.Quantile(wrong, 0.5), stats.Quantile(wrong, 0.9)
	return m, nil
}

// row returns a point as a row of the regression.
func row(form string, p *Point) []float64 {
	x := []float64{1}
	for _, f := range factors {
		v := float64(f.of(p) - f.zero)
		if form == Power {
			v = math.Log1p(v)
		}
		x = append(x, v)
	}
	return x
}

func value(form string, beta []float64, p *Point) float64 {
	y := 0.0
	for j, x := range row(form, p) {
		y += beta[j] * x
	}
	if form == Power {
		return math.Exp(y)
	}
	return y
}

// solve computes the coefficients, or returns nil if the readings do not determine them. Linear
// readings are weighted by their time, so that an error of 10% counts the same in a large message
// and in a small one.
func solve(form string, list []Reading) []float64 {
	var rows [][]float64
	var ys []float64
	for _, r := range list {
		x, y := row(form, &r.Point), math.Log(r.Ns)
		if form == Linear {
			for j := range x {
				x[j] /= r.Ns
			}
			y = 1
		}
		rows, ys = append(rows, x), append(ys, y)
	}
	return experiment.LeastSquares(rows, ys)
}

// Predict returns the time at a point, in ns. It returns an error for points outside the tested
// range.
func (m *Model) Predict(p Point) (float64, error) {
	if err := outside(&p); err != nil {
		return 0, err
	}
	beta := make([]float64, len(m.Coefs))
	for i, c := range m.Coefs {
		beta[i] = c.Point
	}
	return value(m.Form, beta, &p), nil
}

// of returns the coefficient of a factor, or nil.
func (m *Model) of(name string) *Coefficient {
	return experiment.First(m.Coefs, func(c *Coefficient) bool { return c.Factor == name })
}

// times returns the effect of the given number of units.
func (c *Coefficient) times(units float64) run.Estimate {
	return run.Estimate{Median: units * c.Point, Lo: units * c.Lo, Hi: units * c.Hi}
}
