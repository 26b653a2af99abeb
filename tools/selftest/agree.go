package selftest

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/measure"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/tools/gobench"
)

// agreeSource declares three types: flat numbers, strings with a list, and a nested document.
const agreeSource = `package agree

import "time"

type Flat struct {
	A, B, C int
	X, Y    float64
	On      bool
}

type Text struct {
	ID, Name, Note string
	Tags           []string
}

type Nested struct {
	At    time.Time
	Items []Item
	Attrs map[string]string
	Next  *Item
}

type Item struct {
	Sku   string
	Count int
	Price float64
}
`

// NOTE: both sides read the same 64 documents into the same types. The lab's batches are whole
// passes over the values, and go test cycles through them, so that both average over the same work.
// Their processes alternate: one of go test between two of the lab's.

// agreeBench is the benchmark that a user would write to measure the same with go test.
const agreeBench = `package agree

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"testing"
)

func BenchmarkFlat(b *testing.B)   { both[Flat](b, "flat.json") }
func BenchmarkText(b *testing.B)   { both[Text](b, "text.json") }
func BenchmarkNested(b *testing.B) { both[Nested](b, "nested.json") }

func both[T any](b *testing.B, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	var vals []T
	for d := json.NewDecoder(bytes.NewReader(data)); ; {
		var v T
		if err := d.Decode(&v); err == io.EOF {
			break
		} else if err != nil {
			b.Fatal(err)
		}
		vals = append(vals, v)
	}
	b.Run("encode", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		for range b.N {
			if _, err := json.Marshal(&vals[i]); err != nil {
				b.Fatal(err)
			}
			if i++; i == len(vals) {
				i = 0
			}
		}
	})
	b.Run("decode", func(b *testing.B) {
		in := make([][]byte, len(vals))
		for i := range vals {
			in[i], _ = json.Marshal(&vals[i])
		}
		target := new(T)
		b.ReportAllocs()
		b.ResetTimer()
		i := 0
		for range b.N {
			var zero T
			*target = zero
			if err := json.Unmarshal(in[i], target); err != nil {
				b.Fatal(err)
			}
			if i++; i == len(in) {
				i = 0
			}
		}
	})
}
`

const agreeValues = 64

// documents returns values as JSON, for the lab and for go test.
func documents(seed uint64) map[string]string {
	r := rand.New(rand.NewPCG(seed, 0x616772))
	var flat, text, nested strings.Builder
	item := func() string {
		return fmt.Sprintf(`{"Sku":"sku-%05d","Count":%d,"Price":%.2f}`, r.IntN(1e5), r.IntN(100), 100*r.Float64())
	}
	for range agreeValues {
		fmt.Fprintf(&flat, `{"A":%d,"B":%d,"C":%d,"X":%g,"Y":%g,"On":%t}`+"\n", r.IntN(1e6), r.IntN(100), r.IntN(1e9), r.Float64(),
			1e6*r.Float64(), r.IntN(2) == 0)
		fmt.Fprintf(&text, `{"ID":"id-%08x","Name":"Name %d","Note":"a note of some words, number %d","Tags":["one","two","tag-%d"]}`+
			"\n", r.Uint32(), r.IntN(1e4), r.IntN(1e4), r.IntN(100))
		fmt.Fprintf(&nested, `{"At":"2026-01-02T03:04:%02dZ","Items":[%s,%s,%s],"Attrs":{"a":"%d","b":"x"},"Next":%s}`+"\n", r.IntN(60),
			item(), item(), item(), r.IntN(1000), item())
	}
	return map[string]string{"flat.json": flat.String(), "text.json": text.String(), "nested.json": nested.String()}
}

// agree measures encoding/json on three types by the lab and by go test -bench. Processes of the
// two alternate.
func agree(ctx context.Context, b *bench) error {
	files := documents(b.o.Seed)
	files["go.mod"], files["types.go"], files["types_test.go"] = "module example.com/agree\n\ngo 1.24\n", agreeSource, agreeBench
	dir, err := b.folder("agree", files)
	if err != nil {
		return err
	}
	program := filepath.Join(b.dir, "agree.test")
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-o", program, ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go test -c: %w\n%s", err, out)
	}
	for _, name := range []string{"Flat", "Text", "Nested"} {
		s, err := b.openOn(ctx, lab.Options{Dir: dir, Package: ".", Type: name, Seed: 1, Values: agreeValues,
			Sample: filepath.Join(dir, strings.ToLower(name)+".json")})
		if err != nil {
			return err
		}
		p := &pairing{stand: s, program: program, dir: dir, name: name}
		err = b.timed(ctx, func(ctx context.Context, try int) ([]Row, error) { return p.compare(ctx, b, try) })
		p.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// pairing measures one type in both ways.
type pairing struct {
	*stand
	program, dir, name string
}

// reading is the figures of one process for one op.
type reading struct{ ns, allocs, bytes float64 }

func (p *pairing) compare(ctx context.Context, b *bench, try int) ([]Row, error) {
	twin, theirs := map[string][]float64{}, map[string][]float64{}
	var last map[string][2]reading
	// In each round go test runs between two batches of the lab, for as many operations as each of
	// them. The difference of the two batches is the noise floor.
	for range pick(b, 4, 10) * try {
		got := map[string][2]reading{}
		batch := pick[time.Duration](b, 20, 100) * time.Millisecond
		one, n, err := p.lab(ctx, batch, nil)
		if err != nil {
			return nil, err
		}
		bench, err := p.goTest(ctx, n)
		if err != nil {
			return nil, err
		}
		two, _, err := p.lab(ctx, batch, n)
		if err != nil {
			return nil, err
		}
		for _, op := range ops {
			mine := math.Sqrt(one[op].ns * two[op].ns) // before and after go test, so that drift cancels
			theirs[op] = append(theirs[op], math.Log(mine/bench[op].ns))
			twin[op] = append(twin[op], math.Log(one[op].ns/two[op].ns))
			got[op] = [2]reading{one[op], bench[op]}
		}
		last = got
	}
	var out []Row
	for _, op := range ops {
		lo, hi, _ := stats.MedianInterval(twin[op], 0.95)
		floor := math.Expm1(max(math.Abs(lo), math.Abs(hi)))
		off, allowed := math.Expm1(math.Abs(stats.Median(theirs[op]))), max(0.03, 2*floor)
		mine, bench := last[op][0], last[op][1]
		equal := math.Floor(mine.allocs+1e-9) == bench.allocs // go test rounds its averages down
		row := newRow(fmt.Sprintf("go test -bench, %s %s", p.name, op), "medians within max(3%, 2× noise floor), the same allocations",
			fmt.Sprintf("%.1f%% apart, allowed %.1f%%; %.2f and %.0f allocations", 100*off, 100*allowed, mine.allocs, bench.allocs),
			off <= allowed && equal)
		if equal && allowed > 0.25 { // so wide a tolerance would show nothing
			row.Outcome = Undecided
		}
		out = append(out, row)
	}
	return out, nil
}

// lab measures one batch of each op in a new process. The batch has n[op] operations, or, if n is
// nil, as many whole passes over the values as fill the time. An earlier batch of each op warms up,
// as go test does. lab returns the readings and the numbers of operations.
func (p *pairing) lab(ctx context.Context, fill time.Duration, n map[string]int) (map[string]reading, map[string]int, error) {
	ln, err := p.lane(ctx, lane{run.Baseline, run.Baseline, ops})
	if err != nil {
		return nil, nil, err
	}
	defer ln.Close()
	out, did := map[string]reading{}, map[string]int{}
	for _, op := range ops {
		batch := func(n int) (measure.Reading, error) {
			return ln.Run(ctx, measure.Batch{Op: op, Mode: stats.Fresh, N: n, Block: agreeValues, Warm: true})
		}
		many := n[op]
		first, err := batch(max(many/4, 16*agreeValues) / agreeValues * agreeValues)
		if err != nil {
			return nil, nil, err
		}
		if many == 0 {
			many = max(1, int(float64(fill)/first.WallNS*float64(first.N))/agreeValues) * agreeValues
		}
		r, err := batch(many)
		if err != nil {
			return nil, nil, err
		}
		k := float64(r.N)
		out[op], did[op] = reading{r.WallNS / k, r.Allocs / k, r.Bytes / k}, many
	}
	return out, did, nil
}

// goTest runs the benchmark of each op for n[op] operations.
func (p *pairing) goTest(ctx context.Context, n map[string]int) (map[string]reading, error) {
	out := map[string]reading{}
	for _, op := range ops {
		cmd := exec.CommandContext(ctx, p.program, "-test.run=^$", fmt.Sprintf("-test.bench=^Benchmark%s$/^%s$", p.name, op),
			fmt.Sprintf("-test.benchtime=%dx", n[op]))
		cmd.Dir = p.dir
		text, err := cmd.CombinedOutput()
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args[1:], " "), err, text)
		}
		values, err := gobench.Read(bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		var r reading
		for unit, to := range map[string]*float64{"ns/op": &r.ns, "B/op": &r.bytes, "allocs/op": &r.allocs} {
			v, why := values.Of("Benchmark"+p.name+"/"+op, unit)
			if why != "" {
				return nil, fmt.Errorf("%s\n%s", why, text)
			}
			*to = v[0]
		}
		out[op] = r
	}
	return out, nil
}
