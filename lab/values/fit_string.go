package values

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// StringFit is what strings at one path are like. One of its forms is set.
type StringFit struct {
	N        int        `json:"n"`
	Form     string     `json:"form"`            // one of the Form constants
	Reads    string     `json:"reads,omitempty"` // what every one of them reads as beside text: ReadsTime, ReadsBytes
	Length   Quantiles  `json:"length"`
	Values   []Weighted `json:"values,omitempty"`   // FormVocabulary, commonest first
	Zipf     float64    `json:"zipf,omitempty"`     // exponent of their ranks, 0 when they are too few to tell
	Layout   string     `json:"layout,omitempty"`   // FormTime, as package time has it
	Span     Quantiles  `json:"span,omitempty"`     // FormTime, seconds since 1970
	Digits   int        `json:"digits,omitempty"`   // FormTime, of the fraction of a second
	Zones    []Weighted `json:"zones,omitempty"`    // FormTime: Z, +02:00
	Number   *NumberFit `json:"number,omitempty"`   // FormDecimal
	Mask     []string   `json:"mask,omitempty"`     // FormMask: for each place the characters seen
	Template []Weighted `json:"template,omitempty"` // FormTemplate: texts with NUL where words go
	Words    *WordFit   `json:"words,omitempty"`    // FormTemplate, FormText
	Count    Quantiles  `json:"count,omitempty"`    // FormText: words
	Between  []Weighted `json:"between,omitempty"`  // FormText: what stands between words
	Examples []string   `json:"examples,omitempty"` // as seen, for types that read only some strings
}

// The forms of strings, in the order they are tried.
const (
	FormVocabulary = "vocabulary" // few different ones
	FormTime       = "time"
	FormDecimal    = "decimal"  // numbers in quotes
	FormMask       = "mask"     // all of one length: UUIDs, tokens
	FormBase64     = "base64"   // bytes
	FormTemplate   = "template" // words in few fixed patterns: addresses, URLs
	FormText       = "text"     // words in any order
)

// What strings read as, whatever their form.
const (
	ReadsTime  = "time"  // RFC 3339
	ReadsBytes = "bytes" // base64
)

func (f *StringFit) count() int {
	if f == nil {
		return 0
	}
	return f.N
}

// The bounds of what a fit keeps of strings.
const (
	mostVocabulary = 1024
	mostWords      = 2048
	mostTemplates  = 64
	mostExamples   = 32
	mostMask       = 128 // characters
)

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

// evenly takes n of list, evenly spaced.
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

// zipf is the exponent of the power law that counts by rank follow, by least
// squares of their logarithms; 0 for fewer than five values.
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

var timeLayouts = []string{time.RFC3339Nano, time.DateOnly, time.DateTime, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04"}

func (f *StringFit) fitTime(list []string) bool {
	for _, layout := range timeLayouts {
		var span []float64
		zones, digits := map[string]int{}, 0
		for _, s := range list {
			t, err := time.Parse(layout, s)
			if err != nil {
				break
			}
			span = append(span, float64(t.Unix())+float64(t.Nanosecond())/1e9)
			zones[t.Format("Z07:00")]++
			if _, frac, ok := strings.Cut(s, "."); ok {
				digits = max(digits, len(frac)-len(strings.TrimLeft(frac, "0123456789")))
			}
		}
		if len(span) == len(list) {
			f.Form, f.Layout, f.Span, f.Digits, f.Zones = FormTime, layout, quantilesOf(span), min(digits, 9), weigh(zones, 16)
			return true
		}
	}
	return false
}

func (f *StringFit) fitDecimal(list []string) bool {
	var nums []json.Number
	for _, s := range list {
		digits := strings.TrimPrefix(s, "-")
		whole, frac, point := strings.Cut(digits, ".")
		if whole == "" || point && frac == "" || strings.Trim(whole+frac, "0123456789") != "" || len(whole) > 1 && whole[0] == '0' {
			return false
		}
		nums = append(nums, json.Number(s))
	}
	f.Form, f.Number = FormDecimal, fitNumbers(nums)
	return true
}

// classes of characters, to which what was seen at a place of a mask is widened:
// a few values do not show every digit at every place.
var classes = []string{"0123456789", "0123456789abcdef", "0123456789ABCDEF", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
	"0123456789abcdefghijklmnopqrstuvwxyz", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
	"-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"}

func (f *StringFit) fitMask(list []string) bool {
	n := len(list[0])
	if n == 0 || n > mostMask || len(list) < 4 {
		return false
	}
	seen := make([]map[byte]bool, n)
	for i := range seen {
		seen[i] = map[byte]bool{}
	}
	all := map[byte]bool{} // at the places that vary, for widening
	for _, s := range list {
		if len(s) != n {
			return false
		}
		for i := range n {
			if s[i] <= ' ' || s[i] >= utf8.RuneSelf {
				return false
			}
			seen[i][s[i]] = true
		}
	}
	for _, at := range seen {
		for c := range at {
			if len(at) > 4 {
				all[c] = true
			}
		}
	}
	f.Form = FormMask
	for _, at := range seen {
		f.Mask = append(f.Mask, widen(at, all))
	}
	return true
}

// widen spells the characters of one place: those of the narrowest class that holds
// them and, if the place varies freely, whatever stands at others that do.
func widen(at, all map[byte]bool) string {
	var own []byte
	for c := range at {
		own = append(own, c)
	}
	slices.Sort(own)
	if len(at) <= 4 {
		return string(own)
	}
	for _, want := range []map[byte]bool{all, at} {
		for _, class := range classes {
			if within(want, class) {
				return class
			}
		}
	}
	return string(own)
}

func within(set map[byte]bool, class string) bool {
	for c := range set {
		if !strings.Contains(class, string(rune(c))) {
			return false
		}
	}
	return true
}

// fitBase64 takes for bytes what decodes throughout and is not words by chance.
func (f *StringFit) fitBase64(list []string) bool {
	var lengths []float64
	all := strings.Builder{}
	for _, s := range list {
		b, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			return false
		}
		lengths = append(lengths, float64(len(b)))
		all.WriteString(s)
	}
	text := all.String()
	if len(text) < 64 || !strings.ContainsFunc(text, unicode.IsUpper) || !strings.ContainsFunc(text, unicode.IsLower) || !strings.ContainsAny(text, "0123456789+/") {
		return false
	}
	f.Form, f.Length = FormBase64, quantilesOf(lengths)
	return true
}

// wordsOf cuts a text into words (runs of letters and digits) and what is left with
// NUL in their places.
func wordsOf(s string) (words []string, template string) {
	var t strings.Builder
	start := -1
	for i, r := range s {
		word := unicode.IsLetter(r) || unicode.IsDigit(r)
		switch {
		case word && start < 0:
			start = i
			t.WriteByte(0)
		case !word:
			if start >= 0 {
				words = append(words, s[start:i])
				start = -1
			}
			t.WriteRune(r)
		}
	}
	if start >= 0 {
		words = append(words, s[start:])
	}
	return words, t.String()
}

// fitTemplate takes texts of few patterns, which most of the texts must have.
func (f *StringFit) fitTemplate(list []string) bool {
	templates, words := map[string]int{}, []string{}
	for _, s := range list {
		if strings.ContainsRune(s, 0) {
			return false
		}
		w, t := wordsOf(s)
		if len(w) > 24 {
			return false
		}
		templates[t]++
		words = append(words, w...)
	}
	common := weigh(templates, mostTemplates)
	covered := 0
	for _, t := range common {
		covered += t.N
	}
	if float64(covered) < 0.9*float64(len(list)) || len(list) > 16 && len(templates)*4 > len(list) {
		return false
	}
	f.Form, f.Template, f.Words = FormTemplate, common, fitWords(words)
	return true
}

func (f *StringFit) fitText(list []string) {
	var words []string
	var counts []float64
	between := map[string]int{}
	for _, s := range list {
		w, t := wordsOf(strings.ReplaceAll(s, "\x00", " "))
		words = append(words, w...)
		counts = append(counts, float64(len(w)))
		for gap := range strings.SplitSeq(t, "\x00") {
			if gap != "" {
				between[gap]++
			}
		}
	}
	f.Form, f.Count, f.Between, f.Words = FormText, quantilesOf(counts), weigh(between, mostTemplates), fitWords(words)
}

// WordFit is the vocabulary of texts, by how often words are used. Words that were
// mostly seen once are drawn fresh, from their lengths and characters.
type WordFit struct {
	N        int        `json:"n"`
	Values   []Weighted `json:"values,omitempty"`
	Zipf     float64    `json:"zipf,omitempty"`
	Length   Quantiles  `json:"length,omitempty"`
	Alphabet []Weighted `json:"alphabet,omitempty"`
	Fresh    float64    `json:"fresh,omitempty"` // share of words that are drawn fresh
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

// draw draws a string, with safe one that was seen where that is of use.
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
