package values

import (
	"math/rand/v2"
	"strings"
	"unicode/utf8"
)

// WordFit describes the vocabulary of texts by the frequency of words. Words that occurred once are
// not kept, unless there are few words: new ones are made from their lengths and characters.
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
