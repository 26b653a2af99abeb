package fit

import (
	"math/bits"
	"math/rand/v2"
	"strings"
	"unicode/utf8"
)

// A step leads from one special character of a string to the next. Special are characters that are
// escaped or not ASCII, because codecs treat the plain bytes between them in one piece. A step knows
// the kind of the character before, roughly the distance to the one before that, the distance to the
// next one, and the next one's kind; or that the string ends there. So texts that are drawn have their
// escapes as close together, in the same order of distances, as the texts that were seen.
//
// In a histogram a step is a number: (state × (specials + 1) + kind) × gapBins + bin of the distance.
const (
	special  = 5  // the first special kind in the order of Chars.all
	specials = 11 // number of special kinds: < > & are kinds of their own here
	toEnd    = 11 // in place of the next kind: the string ends
	nears    = 5  // classes of distances: 0, 1, 2 to 7, 8 to 31, more
	gapBins  = 96
	perState = (specials + 1) * gapBins
	lastStep = (1+specials*nears)*perState - 1 // state 0 is the beginning of the string
)

// stateAfter returns the state after a distance and a special character.
func stateAfter(gap, kind int) int {
	near := 4
	switch {
	case gap < 2:
		near = gap
	case gap < 8:
		near = 2
	case gap < 32:
		near = 3
	}
	return 1 + kind*nears + near
}

// gapBin returns the number of the bin of a distance, whose least distance is lengthBin(gap).
func gapBin(gap int) int {
	if gap < exact {
		return gap
	}
	n := bits.Len(uint(gap))
	return exact + 8*(n-5) + gap>>(n-4) - 8
}

// leastGap is the least distance of a bin.
func leastGap(bin int) int {
	if bin < exact {
		return bin
	}
	return (8 + (bin-exact)%8) << (1 + (bin-exact)/8)
}

// steps counts the steps in the first 4 KiB of s. Equal steps are gathered before they are looked for
// in the histogram.
func (l *Learner) steps(h *Hist, s string) {
	var gathered [32]struct {
		step int
		n    uint64
	}
	count := func(state, kind, gap int) {
		step := state*perState + kind*gapBins + gapBin(gap)
		g := &gathered[(step^step>>5)%len(gathered)]
		if g.step != step {
			if g.n > 0 {
				h.plus(g.step, g.n, l.grow)
			}
			g.step, g.n = step, 0
		}
		g.n++
	}
	whole := len(s) <= hashed
	s = s[:min(len(s), hashed)]
	state, from := 0, 0
	for i := 0; i < len(s); i++ {
		kind, size := specialAt(s, i)
		if kind < 0 {
			continue
		}
		count(state, kind, i-from)
		state = stateAfter(i-from, kind)
		i += size - 1
		from = i + 1
	}
	if whole {
		count(state, toEnd, len(s)-from)
	}
	for _, g := range gathered {
		if g.n > 0 {
			h.plus(g.step, g.n, l.grow)
		}
	}
}

// specialAt returns the kind of the special character at s[i], from 0, and its size. The kind is
// negative if the character is plain.
func specialAt(s string, i int) (kind, size int) {
	switch b := s[i]; {
	case b >= utf8.RuneSelf:
		switch r, size := utf8.DecodeRuneInString(s[i:]); {
		case r == utf8.RuneError && size == 1:
			return 10, 1
		default:
			return 5 + size, size
		}
	case b == '"':
		return 0, 1
	case b == '\\':
		return 1, 1
	case b == '\n' || b == '\r' || b == '\t' || b == '\b' || b == '\f':
		return 2, 1
	case b < ' ':
		return 3, 1
	case b == '<':
		return 4, 1
	case b == '>':
		return 5, 1
	case b == '&':
		return 6, 1
	}
	return -1, 1
}

// specialText draws a special character of a kind.
func specialText(r *rand.Rand, kind int) string {
	switch {
	case kind < 4:
		return character(r, special+kind)
	case kind < 7:
		return "<>&"[kind-4 : kind-3]
	}
	return character(r, special+kind-2)
}

// step draws a distance and the kind of the special character after it, or toEnd. If no string was
// learned from the state, it draws from all steps; of more than a state can have, from a part of them.
func (h Hist) step(r *rand.Rand, state int) (gap, kind int) {
	from, _ := h.find(state * perState)
	to, _ := h.find((state + 1) * perState)
	if from == to {
		from = r.IntN(max(1, len(h)-perState+1))
		to = min(len(h), from+perState)
	}
	at := h[from:to].draw(r).At % perState
	least := leastGap(at % gapBins)
	return least + r.IntN(lengthWidth(least)), at / gapBins
}

// chars draws n bytes with the steps between special characters of c, and the shares of the plain
// ones.
func (c *Strings) chars(r *rand.Rand, n int) string {
	var b strings.Builder
	b.Grow(n)
	for b.Len() < n {
		c.stretch(&b, r, min(n-b.Len(), hashed))
	}
	return b.String()
}

// run is a number of plain characters and the special one after them, if any.
type run struct {
	plain int
	after string
}

// stretch draws n bytes, at most hashed. It follows the steps until a text ends that has about n bytes,
// and then makes the plain runs longer or shorter to fit, by a factor of two at most: a text that was cut
// would lack the special characters of its end. If no text ends there, it cuts.
func (c *Strings) stretch(b *strings.Builder, r *rand.Rand, n int) {
	runs, plain, total, ended := []run(nil), 0, 0, false
	for state := 0; !ended && 4*total <= 5*n; {
		gap, kind := n, toEnd
		if len(c.Steps) > 0 {
			gap, kind = c.Steps.step(r, state)
		}
		next := run{plain: gap}
		if kind != toEnd {
			next.after = specialText(r, kind)
			state = stateAfter(gap, kind)
		} else {
			if gap == 0 && state == 0 { // in a file that no learner wrote
				next.plain = 1
			}
			state = 0
		}
		plain += next.plain
		total += next.plain + len(next.after)
		want := n - (total - plain)
		ended = kind == toEnd && 4*total >= 3*n && 2*want >= plain && want <= 2*plain
		runs = append(runs, next)
	}
	want := plain
	if ended {
		want = max(0, n-(total-plain))
	}
	end, seen, used := b.Len()+n, 0, 0
	for i, x := range runs {
		seen += x.plain
		upTo := seen
		if ended && plain > 0 {
			upTo = seen * want / plain
		}
		if ended && i == len(runs)-1 {
			upTo = want
		}
		n := max(0, min(upTo-used, end-b.Len()))
		c.Chars.plain(b, r, n)
		used += n
		if len(x.after) <= end-b.Len() {
			b.WriteString(x.after)
		}
	}
	c.Chars.plain(b, r, end-b.Len())
}

// plains are the characters of the plain kinds, in the order of Chars.all.
var plains = [special]string{lowers, strings.ToUpper(lowers), "0123456789", " ", others}

// plain draws n plain characters.
func (c *Chars) plain(b *strings.Builder, r *rand.Rand, n int) {
	weights := [special]uint64{c.Lower, c.Upper, c.Digit, c.Space, c.Other}
	var all uint64
	for _, w := range weights {
		all = sum(&all, w)
	}
	for range n {
		kind := 0
		if all > 0 {
			for at := r.Uint64N(all); kind < special-1 && at >= weights[kind]; kind++ {
				at -= weights[kind]
			}
		}
		set := plains[kind]
		b.WriteByte(set[r.IntN(len(set))])
	}
}
