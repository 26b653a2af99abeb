package fit

import (
	"encoding/base64"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// stringForm is what the values of a public path say about its strings. form says which of the
// other fields are set.
type stringForm struct {
	form     string // one of the form constants
	length   quantiles
	values   []Value     // formVocabulary, most frequent first
	layout   string      // formTime, in the notation of package time
	span     quantiles   // formTime, seconds since 1970
	digits   int         // formTime: digits of the fraction of a second
	zones    []Value     // formTime: Z, +02:00
	number   *numberForm // formDecimal
	mask     []string    // formMask: possible characters at each place
	template []Value     // formTemplate: texts with NUL in place of words
	words    *wordForm   // formTemplate, formText
	count    quantiles   // formText: number of words
	between  []Value     // formText: separators of words
	examples []string    // strings that were seen, for types that do not read every string
}

// stringFormOf returns the form of the values of f, or nil if none are kept.
func stringFormOf(f *String) *stringForm {
	list := expand(f.Values)
	if len(list) == 0 {
		return nil
	}
	return stringsOf(list)
}

// Forms of strings, in the order in which they are tried.
const (
	formVocabulary = "vocabulary" // few different ones
	formTime       = "time"
	formDecimal    = "decimal"  // numbers in quotes
	formMask       = "mask"     // all of the same length: UUIDs, tokens
	formBase64     = "base64"   // bytes
	formTemplate   = "template" // words in a few fixed patterns: addresses, URLs
	formText       = "text"     // words in any order
)

// Bounds on what a fit keeps of strings.
const (
	mostVocabulary = 1024
	mostWords      = 2048
	mostTemplates  = 64
	mostExamples   = 32
	mostMask       = 128 // characters
)

// stringsOf tries first whether there are few different strings, which are drawn as they were seen.
// Then it takes the first form that all strings have.
func stringsOf(list []string) *stringForm {
	f := new(stringForm)
	counts, lengths := map[string]uint64{}, make([]float64, 0, len(list))
	for _, s := range list {
		counts[s]++
		lengths = append(lengths, float64(utf8.RuneCountInString(s)))
	}
	f.length = quantilesOf(lengths)
	distinct := len(counts)
	switch {
	case distinct == 1, distinct <= 64 && len(list) >= 3*distinct, distinct <= mostVocabulary && len(list) >= 8*distinct:
		f.form, f.values = formVocabulary, weigh(counts, mostVocabulary)
		return f
	}
	for _, fit := range []func([]string) bool{f.fitTime, f.fitDecimal, f.fitMask, f.fitBase64, f.fitTemplate} {
		if fit(list) {
			break
		}
	}
	if f.form == "" {
		f.fitText(list)
	}
	if f.form != formTime && f.form != formBase64 {
		f.examples = evenly(list, mostExamples)
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

// draw draws a string. If safe is set and there are examples, it draws one of these.
func (f *stringForm) draw(r *rand.Rand, safe bool) string {
	if safe && len(f.examples) > 0 {
		return f.examples[r.IntN(len(f.examples))]
	}
	switch f.form {
	case formVocabulary:
		return drawValue(r, f.values)
	case formTime:
		return f.drawTime(r)
	case formDecimal:
		return f.number.draw(r)
	case formMask:
		b := make([]byte, len(f.mask))
		for i, set := range f.mask {
			b[i] = set[r.IntN(len(set))]
		}
		return string(b)
	case formBase64:
		b := make([]byte, f.length.drawInt(r))
		for i := range b {
			b[i] = byte(r.UintN(256))
		}
		return base64.StdEncoding.EncodeToString(b)
	case formTemplate:
		var b strings.Builder
		for _, c := range []byte(drawValue(r, f.template)) {
			if c == 0 {
				b.WriteString(f.words.draw(r))
			} else {
				b.WriteByte(c)
			}
		}
		return b.String()
	}
	var b strings.Builder
	for i := range f.count.drawInt(r) {
		if i > 0 && len(f.between) > 0 {
			b.WriteString(drawValue(r, f.between))
		}
		b.WriteString(f.words.draw(r))
	}
	return b.String()
}

func (f *stringForm) drawTime(r *rand.Rand) string {
	sec, frac := math.Modf(f.span.At(r.Float64()))
	unit := math.Pow10(9 - f.digits)
	t := time.Unix(int64(sec), int64(math.Floor(frac*1e9/unit)*unit)).UTC()
	if zone := drawValue(r, f.zones); zone != "Z" {
		if at, err := time.Parse("Z07:00", zone); err == nil {
			_, offset := at.Zone()
			t = t.In(time.FixedZone("", offset))
		}
	}
	return t.Format(f.layout)
}

// wordForm describes the vocabulary of texts by the frequency of words. Words that occurred once are
// not kept, unless there are few words. In their place, new words are made from their lengths and
// characters.
type wordForm struct {
	values   []Value
	length   quantiles
	alphabet []Value
	fresh    float64 // share of words that are made anew
}

func fitWords(words []string) *wordForm {
	f := new(wordForm)
	counts := map[string]uint64{}
	for _, w := range words {
		counts[w]++
	}
	var lengths []float64
	alphabet := map[string]uint64{}
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
	f.values = weigh(counts, mostWords)
	if len(lengths) > 0 {
		f.fresh = float64(len(lengths)) / float64(len(words))
		f.length, f.alphabet = quantilesOf(lengths), weigh(alphabet, 256)
	}
	return f
}

func (f *wordForm) draw(r *rand.Rand) string {
	if len(f.values) == 0 && len(f.alphabet) == 0 {
		return ""
	}
	if len(f.alphabet) == 0 || len(f.values) > 0 && r.Float64() >= f.fresh {
		return drawValue(r, f.values)
	}
	var b strings.Builder
	for range max(1, f.length.drawInt(r)) {
		b.WriteString(drawValue(r, f.alphabet))
	}
	return b.String()
}
