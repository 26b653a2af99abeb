package layout

import (
	"math"
	"runtime"
	"slices"

	"github.com/zmylab/zmy/gen/ir"
)

// Shape is the memory that a struct takes on a 64-bit machine, in bytes.
type Shape struct {
	Size     int64 `json:"size"`
	Padding  int64 `json:"padding"`  // the part of Size between the fields and at the end
	Pointers int64 `json:"pointers"` // from the start to the end of the last pointer: what the garbage collector scans
	Class    int64 `json:"class"`    // what the allocator uses for one object of Size
}

// block is the memory that a field takes.
type block struct{ size, align, pointers int64 }

// Struct is a struct type with its present layout and the best one.
type Struct struct {
	Type  *ir.Type
	Now   Shape
	Best  Shape  // the layout with Order, and with the best order in nested structs
	Order []int  // indices of the fields in the better order; nil if no order is better
	Fixed string // why its fields cannot be moved; "" if they can

	decl string // the declaration in its new order
}

// Gain returns the bytes that the new order saves.
func (s *Struct) Gain() int64 { return s.Now.Size - s.Best.Size }

// Analyse looks at every named struct type that root reaches through fields, elements, keys and
// pointers. The call may(t) says why the fields of t cannot be moved; it returns "" if they can.
func Analyse(root *ir.Type, may func(*ir.Type) string) []*Struct {
	a := &analysis{may: may, blocks: map[*ir.Type]block{}, seen: map[*ir.Type]bool{}}
	a.walk(root)
	return a.structs
}

type analysis struct {
	may     func(*ir.Type) string
	blocks  map[*ir.Type]block // memory of types with the best orders
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

// look returns the present and the best layout of one struct.
func (a *analysis) look(t *ir.Type) *Struct {
	s := &Struct{Type: t, Fixed: a.may(t), Now: shape(fieldBlocks(t, old), identity(len(t.Fields)))}
	s.Best, s.Order = a.best(t)
	return s
}

// best returns the best shape of a struct and the order of fields that has this shape. The order is
// nil if the fields cannot be moved, or if the new order saves neither memory nor bytes that the
// garbage collector scans.
func (a *analysis) best(t *ir.Type) (Shape, []int) {
	blocks := fieldBlocks(t, a.block)
	now := shape(blocks, identity(len(blocks)))
	if t.Name == nil || a.may(t) != "" {
		return now, nil
	}
	order := best(blocks)
	if then := shape(blocks, order); then.Size < now.Size || then.Size == now.Size && then.Pointers < now.Pointers {
		return then, order
	}
	return now, nil
}

// block returns the memory that a value of t takes if the structs in it have their best order.
func (a *analysis) block(t *ir.Type) block {
	if b, ok := a.blocks[t]; ok {
		return b
	}
	b := old(t)
	switch {
	case t.Kind == ir.Array && t.Len > 0:
		b = array(a.block(t.Elem), t.Len)
	case t.Kind == ir.Struct && len(t.Fields) > 0:
		s, _ := a.best(t)
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

// best orders the fields so that no padding is needed between them: by falling alignment, since
// every size is a multiple of its alignment. Fields of size 0 come first, since one at the end of
// the struct costs a word. Among fields of the same alignment those with pointers come first, and
// among these the ones with the fewest bytes after their last pointer. Otherwise the author's order
// stays.
func best(blocks []block) []int {
	keys := make([][3]int64, len(blocks))
	for i, b := range blocks {
		tail := b.size - b.pointers // the bytes after the last pointer
		if b.pointers == 0 {
			tail = math.MaxInt64
		}
		keys[i] = [3]int64{min(b.size, 1), -b.align, tail}
	}
	order := identity(len(blocks))
	slices.SortStableFunc(order, func(i, j int) int { return slices.Compare(keys[i][:], keys[j][:]) })
	return order
}

// shape lays the fields out as the gc compiler does.
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
			s.Size++ // a pointer to a last field of size 0 must not point to the next object
		}
	}
	s.Size = up(s.Size, align)
	s.Padding = s.Size - used
	s.Class = allocated(s.Size, s.Pointers > 0)
	return s
}

func up(n, align int64) int64 { return (n + align - 1) / align * align }

// old returns the memory that a value of t takes as declared. pointers are the bytes up to and
// including the last pointer, as in the type's descriptor of Go's runtime (PtrBytes).
func old(t *ir.Type) block {
	b := block{size: t.Size, align: max(t.Align, 1)}
	switch t.Kind {
	case ir.String, ir.Bytes, ir.Slice, ir.Map, ir.Pointer, ir.Chan, ir.Func, ir.RawJSON, ir.Number, ir.Unsafe:
		b.pointers = 8
	case ir.Any, ir.Interface:
		b.pointers = 16
	case ir.Time:
		b.pointers = 24 // the last word points to the location
	case ir.BigInt, ir.BigFloat:
		b.pointers = 16 // a word, then a slice
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

// sizeClasses lists the size classes of this program's own allocator. The user's Go has the same
// ones unless it is much older.
var sizeClasses = func() (classes []int64) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	for _, c := range m.BySize {
		classes = append(classes, int64(c.Size))
	}
	return classes
}()

// The allocator puts a word before objects that contain pointers and are larger than this number of
// bytes (internal/runtime/gc.MinSizeForMallocHeader).
const headerAbove = 512

// allocated returns the bytes that one object of this size takes on the heap.
func allocated(size int64, pointers bool) int64 {
	if pointers && size > headerAbove {
		size += 8
	}
	if size == 0 {
		return 0
	}
	if i, _ := slices.BinarySearch(sizeClasses, size); i < len(sizeClasses) {
		return sizeClasses[i]
	}
	return up(size, 8192) // whole pages
}
