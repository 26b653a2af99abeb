package fit

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// The functions below each try one form for the strings of a public path. If all strings have the
// form, they fill in its fields and return true.

// fitTime takes the first layout in which all strings are times. It counts the digits of the
// fraction in the strings, since RFC3339Nano reads any number of them.
func (f *stringForm) fitTime(list []string) bool {
	for _, class := range timeClasses {
		layout := layouts[class]
		var span []float64
		zones, digits := map[string]uint64{}, 0
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
			f.form, f.layout, f.span, f.digits, f.zones = formTime, layout, quantilesOf(span), min(digits, 9), weigh(zones, 16)
			return true
		}
	}
	return false
}

// fitDecimal accepts numbers in quotes. A number with a leading zero, such as a postal code, is no
// number: its zeros would be lost.
func (f *stringForm) fitDecimal(list []string) bool {
	var nums []json.Number
	for _, s := range list {
		digits := strings.TrimPrefix(s, "-")
		whole, frac, point := strings.Cut(digits, ".")
		if whole == "" || point && frac == "" || strings.Trim(whole+frac, "0123456789") != "" || len(whole) > 1 && whole[0] == '0' {
			return false
		}
		nums = append(nums, json.Number(s))
	}
	f.form, f.number = formDecimal, numbersOf(nums)
	return true
}

// classes are sets of characters. The characters seen at a place of a mask are widened to one of
// these sets, since a few values do not show every possible character at every place.
var classes = []string{"0123456789", "0123456789abcdef", "0123456789ABCDEF", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
	"0123456789abcdefghijklmnopqrstuvwxyz", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
	"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
	"-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"}

// fitMask accepts strings of one length in printable ASCII, if there are at least four: fewer do
// not tell which places vary. All places at which more than four characters were seen are widened
// by the same class of characters, if one fits them all.
func (f *stringForm) fitMask(list []string) bool {
	n := len(list[0])
	if n == 0 || n > mostMask || len(list) < 4 {
		return false
	}
	seen := make([]map[byte]bool, n)
	for i := range seen {
		seen[i] = map[byte]bool{}
	}
	all := map[byte]bool{} // characters at the places that vary, for widening
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
	f.form = formMask
	for _, at := range seen {
		f.mask = append(f.mask, widen(at, all))
	}
	return true
}

// widen returns the characters for one place of a mask. If few were seen there, it returns just
// these. Otherwise it returns the narrowest class that holds the characters of all varying places
// or, failing that, of this place.
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

// fitBase64 accepts strings that all decode as base64 and look too random to be words.
func (f *stringForm) fitBase64(list []string) bool {
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
	if len(text) < 64 || !strings.ContainsFunc(text, unicode.IsUpper) || !strings.ContainsFunc(text, unicode.IsLower) ||
		!strings.ContainsAny(text, "0123456789+/") {
		return false
	}
	f.form, f.length = formBase64, quantilesOf(lengths)
	return true
}

// wordsOf splits a text into its words (runs of letters and digits) and a template: the text with
// NUL in place of each word.
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

// fitTemplate accepts texts if a few templates cover at least nine tenths of them.
func (f *stringForm) fitTemplate(list []string) bool {
	templates, words := map[string]uint64{}, []string{}
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
	covered := uint64(0)
	for _, t := range common {
		covered += t.N
	}
	if float64(covered) < 0.9*float64(len(list)) || len(list) > 16 && len(templates)*4 > len(list) {
		return false
	}
	f.form, f.template, f.words = formTemplate, common, fitWords(words)
	return true
}

func (f *stringForm) fitText(list []string) {
	var words []string
	var counts []float64
	between := map[string]uint64{}
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
	f.form, f.count, f.between, f.words = formText, quantilesOf(counts), weigh(between, mostTemplates), fitWords(words)
}
