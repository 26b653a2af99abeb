package values

import (
	"encoding/base64"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// StringFit describes the strings at one path. Form says which of the other fields are set.
type StringFit struct {
	N        int        `json:"n"`
	Form     string     `json:"form"`            // one of the Form constants
	Reads    string     `json:"reads,omitempty"` // form that all can be read as: ReadsTime, ReadsBytes
	Length   Quantiles  `json:"length"`
	Values   []Weighted `json:"values,omitempty"`   // FormVocabulary, most frequent first
	Zipf     float64    `json:"zipf,omitempty"`     // exponent of the Zipf law of their ranks, 0 if there are too few
	Layout   string     `json:"layout,omitempty"`   // FormTime, in the notation of package time
	Span     Quantiles  `json:"span,omitempty"`     // FormTime, seconds since 1970
	Digits   int        `json:"digits,omitempty"`   // FormTime: digits of the fraction of a second
	Zones    []Weighted `json:"zones,omitempty"`    // FormTime: Z, +02:00
	Number   *NumberFit `json:"number,omitempty"`   // FormDecimal
	Mask     []string   `json:"mask,omitempty"`     // FormMask: possible characters at each place
	Template []Weighted `json:"template,omitempty"` // FormTemplate: texts with NUL in place of words
	Words    *WordFit   `json:"words,omitempty"`    // FormTemplate, FormText
	Count    Quantiles  `json:"count,omitempty"`    // FormText: number of words
	Between  []Weighted `json:"between,omitempty"`  // FormText: separators of words
	Examples []string   `json:"examples,omitempty"` // strings that were seen, for types that do not read every string
}

// Forms of strings, in the order in which they are tried.
const (
	FormVocabulary = "vocabulary" // few different ones
	FormTime       = "time"
	FormDecimal    = "decimal"  // numbers in quotes
	FormMask       = "mask"     // all of the same length: UUIDs, tokens
	FormBase64     = "base64"   // bytes
	FormTemplate   = "template" // words in a few fixed patterns: addresses, URLs
	FormText       = "text"     // words in any order
)

// How strings can be read, whatever their form.
const (
	ReadsTime  = "time"  // RFC 3339
	ReadsBytes = "bytes" // base64
)

// Bounds on what a fit keeps of strings.
const (
	mostVocabulary = 1024
	mostWords      = 2048
	mostTemplates  = 64
	mostExamples   = 32
	mostMask       = 128 // characters
)

// fitStrings tries first whether there are few different strings, which are drawn as they were
// seen. Then it takes the first form that all strings have. Reads does not depend on the form,
// since derive chooses the Go type by it.
func fitStrings(list []string) *StringFit {
	f := &StringFit{N: len(list)}
	counts, lengths := map[string]int{}, make([]float64, 0, len(list))
	for _, s := range list {
		counts[s]++
		lengths = append(lengths, float64(utf8.RuneCountInString(s)))
	}
	f.Length = quantilesOf(lengths)
	if probe := new(StringFit); probe.fitTime(list) && probe.Layout == time.RFC3339Nano {
		f.Reads = ReadsTime
	} else if probe.fitBase64(list) {
		f.Reads = ReadsBytes
	}
	distinct := len(counts)
	switch {
	case distinct == 1, distinct <= 64 && len(list) >= 3*distinct, distinct <= mostVocabulary && len(list) >= 8*distinct:
		f.Form, f.Values = FormVocabulary, weigh(counts, mostVocabulary)
		f.Zipf = zipf(f.Values)
		return f
	}
	for _, fit := range []func([]string) bool{f.fitTime, f.fitDecimal, f.fitMask, f.fitBase64, f.fitTemplate} {
		if fit(list) {
			break
		}
	}
	if f.Form == "" {
		f.fitText(list)
	}
	if f.Form != FormTime && f.Form != FormBase64 {
		f.Examples = evenly(list, mostExamples)
	}
	return f
}

// evenly returns n elements of list, evenly spaced.
func evenly(list []string, n int) []string {
	if len(list) <= n {
		return slices.Clone(list)
	}
	out := make([]string, n)
	for i := range out {
		out[i] = list[i*len(list)/n]
	}
	return out
}

// zipf returns the exponent of the power law between counts and ranks, by least squares of their
// logarithms. For fewer than five values it returns 0.
func zipf(list []Weighted) float64 {
	if len(list) < 5 {
		return 0
	}
	var sx, sy, sxx, sxy float64
	for i, w := range list {
		x, y := math.Log(float64(i+1)), math.Log(float64(w.N))
		sx, sy, sxx, sxy = sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	n := float64(len(list))
	return max(0, -(n*sxy-sx*sy)/(n*sxx-sx*sx))
}

// draw draws a string. If safe is set and there are examples, it draws one of these.
func (f *StringFit) draw(r *rand.Rand, safe bool) string {
	if safe && len(f.Examples) > 0 {
		return f.Examples[r.IntN(len(f.Examples))]
	}
	switch f.Form {
	case FormVocabulary:
		return drawWeighted(r, f.Values)
	case FormTime:
		return f.drawTime(r)
	case FormDecimal:
		return f.Number.draw(r)
	case FormMask:
		b := make([]byte, len(f.Mask))
		for i, set := range f.Mask {
			b[i] = set[r.IntN(len(set))]
		}
		return string(b)
	case FormBase64:
		b := make([]byte, f.Length.drawInt(r))
		for i := range b {
			b[i] = byte(r.UintN(256))
		}
		return base64.StdEncoding.EncodeToString(b)
	case FormTemplate:
		var b strings.Builder
		for _, c := range []byte(drawWeighted(r, f.Template)) {
			if c == 0 {
				b.WriteString(f.Words.draw(r))
			} else {
				b.WriteByte(c)
			}
		}
		return b.String()
	}
	var b strings.Builder
	for i := range f.Count.drawInt(r) {
		if i > 0 && len(f.Between) > 0 {
			b.WriteString(drawWeighted(r, f.Between))
		}
		b.WriteString(f.Words.draw(r))
	}
	return b.String()
}

func (f *StringFit) drawTime(r *rand.Rand) string {
	sec, frac := math.Modf(f.Span.At(r.Float64()))
	unit := math.Pow10(9 - f.Digits)
	t := time.Unix(int64(sec), int64(math.Floor(frac*1e9/unit)*unit)).UTC()
	if zone := drawWeighted(r, f.Zones); zone != "Z" {
		if at, err := time.Parse("Z07:00", zone); err == nil {
			_, offset := at.Zone()
			t = t.In(time.FixedZone("", offset))
		}
	}
	return t.Format(f.Layout)
}

// WordFit describes the vocabulary of texts by the frequency of words. Words that occurred once are
// not kept, unless there are few words. In their place, new words are made from their lengths and
// characters.
type WordFit struct {
	N        int        `json:"n"`
	Values   []Weighted `json:"values,omitempty"`
	Zipf     float64    `json:"zipf,omitempty"`
	Length   Quantiles  `json:"length,omitempty"`
	Alphabet []Weighted `json:"alphabet,omitempty"`
	Fresh    float64    `json:"fresh,omitempty"` // share of words that are made anew
}

func fitWords(words []string) *WordFit {
	f := &WordFit{N: len(words)}
	counts := map[string]int{}
	for _, w := range words {
		counts[w]++
	}
	var lengths []float64
	alphabet := map[string]int{}
	few := len(counts) <= 64
	for w, n := range counts {
		if n > 1 || few {
			continue
		}
		lengths = append(lengths, float64(utf8.RuneCountInString(w)))
		for _, r := range w {
			alphabet[string(r)]++
		}
		delete(counts, w)
	}
	f.Values = weigh(counts, mostWords)
	f.Zipf = zipf(f.Values)
	if len(lengths) > 0 {
		f.Fresh = float64(len(lengths)) / float64(len(words))
		f.Length, f.Alphabet = quantilesOf(lengths), weigh(alphabet, 256)
	}
	return f
}

func (f *WordFit) draw(r *rand.Rand) string {
	if len(f.Values) == 0 && len(f.Alphabet) == 0 {
		return ""
	}
	if len(f.Alphabet) == 0 || len(f.Values) > 0 && r.Float64() >= f.Fresh {
		return drawWeighted(r, f.Values)
	}
	var b strings.Builder
	for range max(1, f.Length.drawInt(r)) {
		b.WriteString(drawWeighted(r, f.Alphabet))
	}
	return b.String()
}
