package load

import (
	"slices"
	"time"
)

// Matrix has a list of values for each axis. Its cells are all combinations.
type Matrix struct {
	Kinds   []Kind
	Codecs  []string
	Blobs   []bool
	Sizes   []int
	Streams []int
	Windows []int
	RTTs    []time.Duration
	Gzips   []bool
}

// Full returns the whole matrix.
func Full() Matrix {
	return Matrix{
		Kinds: Kinds, Codecs: Codecs(), Blobs: []bool{true, false},
		Sizes:   []int{100, 1_000, 64_000, 128_000, 1_000_000},
		Streams: []int{1, 8, 64},
		Windows: []int{0, 64 << 10, 256 << 10, 512 << 10, 1 << 20, 16 << 20},
		RTTs:    []time.Duration{0, 300 * time.Microsecond, 10 * time.Millisecond, 50 * time.Millisecond},
		Gzips:   []bool{false, true},
	}
}

// Base returns the cell around which Slices varies one axis at a time: 8 streams of blocks of 128
// KB, over the round trip of a data centre.
func Base(k Kind) Cell {
	return Cell{Kind: k, Codec: "zmy", Blob: true, Size: 128_000, Streams: 8, RTT: 300 * time.Microsecond}
}

// Point returns the matrix with the single cell c.
func Point(c Cell) Matrix {
	return Matrix{[]Kind{c.Kind}, []string{c.Codec}, []bool{c.Blob}, []int{c.Size}, []int{c.Streams},
		[]int{c.Window}, []time.Duration{c.RTT}, []bool{c.Gzip}}
}

// Group is a number of cells that are shown together.
type Group struct {
	Title string
	Cells []Cell
}

// Cells returns all combinations. Kinds vary fastest, so that they are next to each other.
func (m Matrix) Cells() []Cell {
	cells := each([]Cell{{}}, m.Codecs, func(c *Cell, codec string) { c.Codec = codec })
	cells = each(cells, m.Blobs, func(c *Cell, blob bool) { c.Blob = blob })
	cells = each(cells, m.Sizes, func(c *Cell, size int) { c.Size = size })
	cells = each(cells, m.RTTs, func(c *Cell, rtt time.Duration) { c.RTT = rtt })
	cells = each(cells, m.Windows, func(c *Cell, window int) { c.Window = window })
	cells = each(cells, m.Streams, func(c *Cell, streams int) { c.Streams = streams })
	cells = each(cells, m.Gzips, func(c *Cell, zip bool) { c.Gzip = zip })
	return each(cells, m.Kinds, func(c *Cell, k Kind) { c.Kind = k })
}

// each returns every cell with every value, the values of one cell one after the other.
func each[T any](cells []Cell, values []T, set func(c *Cell, v T)) (out []Cell) {
	for _, c := range cells {
		for _, v := range values {
			set(&c, v)
			out = append(out, c)
		}
	}
	return out
}

// Slices returns the part of the matrix that shows most in little time: for each kind, one axis at
// a time varies around Base. Windows are also varied with a round trip long enough to make them
// matter. Codecs are varied with records of 1 KB, which give codecs more work than blobs do.
func Slices(kinds []Kind) []Group {
	full := Full()
	slice := func(title string, change func(m *Matrix)) Group {
		m := Point(Base(Unary))
		m.Kinds = kinds
		change(&m)
		return Group{title, m.Cells()}
	}
	return []Group{
		slice("By size", func(m *Matrix) { m.Sizes = full.Sizes }),
		slice("By streams", func(m *Matrix) { m.Streams = full.Streams }),
		slice("By window", func(m *Matrix) { m.Windows = full.Windows }),
		slice("By window, 10 ms away", func(m *Matrix) { m.Windows, m.RTTs = full.Windows, []time.Duration{10 * time.Millisecond} }),
		slice("By round trip", func(m *Matrix) { m.RTTs = full.RTTs }),
		slice("By compression", func(m *Matrix) { m.Gzips = full.Gzips }),
		slice("By codec, records of 1 KB", func(m *Matrix) { m.Codecs, m.Blobs, m.Sizes = full.Codecs, []bool{false}, []int{1_000} }),
	}
}

// Distinct returns the cells of all groups, each once, in the order of their first occurrence.
func Distinct(groups []Group) (out []Cell) {
	seen := map[Cell]bool{}
	for _, g := range groups {
		for _, c := range g.Cells {
			if !seen[c] {
				seen[c] = true
				out = append(out, c)
			}
		}
	}
	return out
}

// Check returns an error if the matrix contains values that cannot be measured.
func (m Matrix) Check() error {
	for _, c := range m.Codecs {
		if _, err := formOf(c); err != nil {
			return err
		}
	}
	switch {
	case slices.ContainsFunc(m.Sizes, func(n int) bool { return n < minSize || n > maxSize }):
		return rangeError("size", minSize, maxSize, "bytes")
	case slices.ContainsFunc(m.Streams, func(n int) bool { return n < 1 || n > maxStreams }):
		return rangeError("streams", 1, maxStreams, "at a time")
	case slices.ContainsFunc(m.Windows, func(n int) bool { return n != 0 && (n < minWindow || n > maxWindow) }):
		return rangeError("window", minWindow, maxWindow, "bytes, or BDP")
	case slices.ContainsFunc(m.RTTs, func(d time.Duration) bool { return d < 0 || d > maxRTT }):
		return rangeError("rtt", 0, int(maxRTT/time.Millisecond), "milliseconds")
	}
	return nil
}
