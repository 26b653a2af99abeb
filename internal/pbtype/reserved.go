package pbtype

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/internal/pbwire"
)

// Range is a run of numbers of fields or of values of an enum. It includes From and To.
type Range struct{ From, To int32 }

// Ranges are sorted, and neither overlap nor touch.
type Ranges []Range

// The largest numbers, which the word max stands for in reserved ranges.
const (
	MaxField     = pbwire.MaxNumber // of fields
	MaxEnumValue = math.MaxInt32    // of values of enums
)

// ParseReserved parses the words behind reserved in a .proto file: numbers, as in 2, 4 to 6, 100 to max,
// or names in quotation marks. last is the number that max stands for. ok is false if the text has
// neither form.
func ParseReserved(text string, last int32) (numbers Ranges, names []string, ok bool) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); strings.HasPrefix(part, `"`) {
			name, err := strconv.Unquote(part)
			if err != nil || !isName(name) {
				return nil, nil, false
			}
			names = append(names, name)
			continue
		}
		from, to, several := strings.Cut(part, " to ")
		r, ok := Range{}, true
		if r.From, ok = parseInt32(from); !ok {
			return nil, nil, false
		}
		switch {
		case !several:
			r.To = r.From
		case strings.TrimSpace(to) == "max":
			r.To = last
		default:
			r.To, ok = parseInt32(to)
		}
		if !ok || r.To < r.From || r.To > last {
			return nil, nil, false
		}
		numbers = append(numbers, r)
	}
	return numbers.normal(), names, len(numbers) == 0 || len(names) == 0
}

func parseInt32(text string) (int32, bool) {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 32)
	return int32(n), err == nil
}

// RangesOf returns ranges that have the given numbers.
func RangesOf(numbers ...int32) Ranges {
	var r Ranges
	for _, n := range numbers {
		r = append(r, Range{n, n})
	}
	return r.normal()
}

// normal sorts ranges and joins those that overlap or touch.
func (r Ranges) normal() (out Ranges) {
	slices.SortFunc(r, func(a, b Range) int { return cmp.Compare(a.From, b.From) })
	for _, x := range r {
		if n := len(out); n > 0 && int64(x.From) <= int64(out[n-1].To)+1 {
			out[n-1].To = max(out[n-1].To, x.To)
			continue
		}
		out = append(out, x)
	}
	return out
}

// Has reports whether n is in one of the ranges.
func (r Ranges) Has(n int32) bool {
	return slices.ContainsFunc(r, func(x Range) bool { return x.From <= n && n <= x.To })
}

// Next returns the first number from n on that is in none of the ranges.
func (r Ranges) Next(n int64) int64 {
	for _, x := range r {
		if int64(x.From) <= n && n <= int64(x.To) {
			n = int64(x.To) + 1
		}
	}
	return n
}

// Union returns the numbers of r and o.
func (r Ranges) Union(o Ranges) Ranges { return append(slices.Clone(r), o...).normal() }

// Without returns the numbers of r that o lacks.
func (r Ranges) Without(o Ranges) (out Ranges) {
	for _, x := range r {
		at := int64(x.From)
		for _, y := range o {
			if int64(y.To) < at || y.From > x.To {
				continue
			}
			if at < int64(y.From) {
				out = append(out, Range{int32(at), y.From - 1})
			}
			at = int64(y.To) + 1
		}
		if at <= int64(x.To) {
			out = append(out, Range{int32(at), x.To})
		}
	}
	return out
}

// Text returns the ranges as a .proto file has them: 2, 4 to 6, 100 to max. last is the number that max
// stands for.
func (r Ranges) Text(last int32) string {
	var words []string
	for _, x := range r {
		switch {
		case x.From == x.To:
			words = append(words, fmt.Sprint(x.From))
		case x.To == last:
			words = append(words, fmt.Sprintf("%d to max", x.From))
		default:
			words = append(words, fmt.Sprintf("%d to %d", x.From, x.To))
		}
	}
	return strings.Join(words, ", ")
}
