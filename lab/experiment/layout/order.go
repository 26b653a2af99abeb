package layout

import (
	"runtime"
	"slices"

	"github.com/zmylab/zmy/gen/ir"
)

// Shape is how much memory a struct takes on a 64-bit machine, in bytes.
type Shape struct {
	Size     int64 `json:"size"`
	Padding  int64 `json:"padding"`  // of Size, between the fields and at the end
	Pointers int64 `json:"pointers"` // from the start to the last pointer: what the garbage collector looks through
	Class    int64 `json:"class"`    // what the allocator hands out for one of them
}

// block is what a field takes.
type block struct{ size, align, pointers int64 }

// Struct is a struct type as it lies in memory and as it could.
type Struct struct {
	Type  *ir.Type
	Now   Shape
	Best  Shape  // with Order, and with the best order in the structs that it holds
	Order []int  // indices of the fields as they should stand; nil where nothing is gained
	Fixed string // why its fields cannot be moved, "" where they can

	decl string // the declaration in its new order
}

// Gain is what the new order saves of the size.
func (s *Struct) Gain() int64 { return s.Now.Size - s.Best.Size }

// Analyse looks at every named struct type reached from root by values, elements and
// pointers. may says why a type's fields cannot be moved, "" where they can.
func Analyse(root *ir.Type, may func(*ir.Type) string) []*Struct {
	a := &analysis{may: may, blocks: map[*ir.Type]block{}, seen: map[*ir.Type]bool{}}
	a.walk(root)
	return a.structs
}

type analysis struct {
	may     func(*ir.Type) string
	blocks  map[*ir.Type]block // with the best orders
	seen    map[*ir.Type]bool
	structs []*Struct
}

func (a *analysis) walk(t *ir.Type) {
	if t == nil || a.seen[t] {
		return
	}
	a.seen[t] = true
	if t.Kind == ir.Struct && t.Name != nil {
		a.structs = append(a.structs, a.look(t))
	}
	for _, f := range t.Fields {
		a.walk(f.Type)
	}
	a.walk(t.Key)
	a.walk(t.Elem)
}

// look finds the shapes of one struct.
func (a *analysis) look(t *ir.Type) *Struct {
	s := &Struct{Type: t, Fixed: a.may(t)}
	order := identity(len(t.Fields))
	s.Now = shape(fieldBlocks(t, old), order)
	if s.Fixed == "" {
		s.Order = a.order(t)
	}
	if s.Order != nil {
		order = s.Order
	}
	s.Best = shape(fieldBlocks(t, a.block), order)
	return s
}

// order is the order of the fields that saves memory, nil where none does.
func (a *analysis) order(t *ir.Type) []int {
	blocks := fieldBlocks(t, a.block)
	now, best := identity(len(blocks)), best(blocks)
	x, y := shape(blocks, now), shape(blocks, best)
	if y.Size < x.Size || y.Size == x.Size && y.Pointers < x.Pointers {
		return best
	}
	return nil
}

// block is what a value of t takes once the structs in it are in their best order.
func (a *analysis) block(t *ir.Type) block {
	if b, ok := a.blocks[t]; ok {
		return b
	}
	b := old(t)
	switch {
	case t.Kind == ir.Array && t.Len > 0:
		e := a.block(t.Elem)
		b = array(e, t.Len)
	case t.Kind == ir.Struct && len(t.Fields) > 0:
		blocks := fieldBlocks(t, a.block)
		order := identity(len(blocks))
		if t.Name != nil && a.may(t) == "" {
			if o := a.order(t); o != nil {
				order = o
			}
		}
		s := shape(blocks, order)
		b = block{s.Size, b.align, s.Pointers}
	}
	a.blocks[t] = b
	return b
}

func array(e block, n int64) block {
	b := block{size: n * e.size, align: e.align}
	if e.pointers > 0 {
		b.pointers = (n-1)*e.size + e.pointers
	}
	return b
}

func fieldBlocks(t *ir.Type, of func(*ir.Type) block) []block {
	out := make([]block, len(t.Fields))
	for i, f := range t.Fields {
		out[i] = of(f.Type)
	}
	return out
}

func identity(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// best orders fields so that none needs padding before it: by falling alignment, of
// which every size is a multiple. Fields without any size come first (at the end each
// costs a word), those that end without pointers last, and what is alike stays as the
// author has it.
func best(blocks []block) []int {
	order := identity(len(blocks))
	slices.SortStableFunc(order, func(i, j int) int {
		x, y := blocks[i], blocks[j]
		if empty := btoi(y.size == 0) - btoi(x.size == 0); empty != 0 {
			return empty
		}
		if x.align != y.align {
			return int(y.align - x.align)
		}
		if scalar := btoi(x.pointers == 0) - btoi(y.pointers == 0); scalar != 0 {
			return scalar
		}
		if x.pointers > 0 {
			return int((x.size - x.pointers) - (y.size - y.pointers))
		}
		return 0
	})
	return order
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// shape lays fields out as the gc compiler does.
func shape(blocks []block, order []int) Shape {
	var s Shape
	align, used := int64(1), int64(0)
	for n, i := range order {
		b := blocks[i]
		s.Size = up(s.Size, b.align)
		if b.pointers > 0 {
			s.Pointers = s.Size + b.pointers
		}
		s.Size += b.size
		used += b.size
		align = max(align, b.align)
		if n == len(order)-1 && b.size == 0 && s.Size > 0 {
			s.Size++ // a pointer to it must not point to the next object
		}
	}
	s.Size = up(s.Size, align)
	s.Padding = s.Size - used
	s.Class = allocated(s.Size, s.Pointers > 0)
	return s
}

func up(n, align int64) int64 { return (n + align - 1) / align * align }

// old is what a value of t takes as it is declared.
func old(t *ir.Type) block {
	b := block{size: t.Size, align: max(t.Align, 1)}
	switch t.Kind {
	case ir.String, ir.Bytes, ir.Slice, ir.Map, ir.Pointer, ir.Chan, ir.Func, ir.RawJSON, ir.Number, ir.Unsafe:
		b.pointers = 8
	case ir.Any, ir.Interface:
		b.pointers = 16
	case ir.Time:
		b.pointers = 24 // its last word is the location
	case ir.BigInt, ir.BigFloat:
		b.pointers = 16 // a slice after a word
	case ir.BigRat:
		b.pointers = 48
	case ir.Array:
		if t.Len > 0 {
			b = array(old(t.Elem), t.Len)
		}
	case ir.Struct:
		if len(t.Fields) > 0 {
			b.pointers = shape(fieldBlocks(t, old), identity(len(t.Fields))).Pointers
		}
	}
	return b
}

// sizeClasses are those of this program's own allocator; the user's Go has the same
// where it is not much older.
var sizeClasses = func() (classes []int64) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	for _, c := range m.BySize {
		classes = append(classes, int64(c.Size))
	}
	return classes
}()

// The allocator puts a word before objects with pointers that are larger than this
// (internal/runtime/gc.MinSizeForMallocHeader).
const headerAbove = 512

// allocated is what one object of that size takes on the heap.
func allocated(size int64, pointers bool) int64 {
	if pointers && size > headerAbove {
		size += 8
	}
	if size == 0 {
		return 0
	}
	for _, c := range sizeClasses {
		if c >= size {
			return c
		}
	}
	return up(size, 8192) // whole pages
}
