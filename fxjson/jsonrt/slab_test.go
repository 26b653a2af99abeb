package jsonrt

import (
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

// tree has slices of its own type, of strings and of small pointers inside.
type tree struct {
	Name  *string
	Tags  []string
	Below []tree
	Rows  [][]int
}

func decodeTree(d *Dec, i int, v *tree) int {
	i, k := Object[tree](d, i, &treeNames)
	for k != Done {
		switch k {
		case 0:
			i = DecodePtr(d, i, &v.Name, DecodeString)
		case 1:
			i = DecodeSlice(d, i, &v.Tags, DecodeString)
		case 2:
			i = DecodeSlice(d, i, &v.Below, decodeTree)
		case 3:
			i = DecodeSlice(d, i, &v.Rows, func(d *Dec, i int, r *[]int) int { return DecodeSlice(d, i, r, DecodeInt) })
		default:
			i = d.Unknown(i)
		}
		i, k = d.Key(i, k, &treeNames)
	}
	return i
}

var treeNames = Names{Keys: []string{"Name", "Tags", "Below", "Rows"}, Find: func(k string) int {
	for i, n := range []string{"Name", "Tags", "Below", "Rows"} {
		if n == k {
			return i
		}
	}
	return Unknown
}}

func makeTree(depth, width int) tree {
	name := fmt.Sprint("node ", depth, width)
	t := tree{Name: &name}
	for i := range width * 3 {
		t.Tags = append(t.Tags, strings.Repeat("t", i))
		t.Rows = append(t.Rows, make([]int, 1+i*width))
	}
	if depth > 0 {
		for i := range width {
			t.Below = append(t.Below, makeTree(depth-1, 1+i))
		}
	}
	return t
}

// TestSlab decodes slices inside slices of the same type, many and long ones, and
// then appends to every slice: none may lie in the way of another.
func TestSlab(t *testing.T) {
	code := Code[tree]{Decode: decodeTree, Print: printOf[tree]()}
	for width := range 7 {
		want := makeTree(3, width)
		doc, err := json.Marshal(&want)
		if err != nil {
			t.Fatal(err)
		}
		var got tree
		if err := code.Unmarshal(doc, &got); err != nil {
			t.Fatal(err)
		}
		appendAll(&got)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("width %d: decoded otherwise, or changed by appending", width)
		}
	}
}

func appendAll(v *tree) {
	_ = append(v.Tags, "more")
	_ = append(v.Below, tree{Tags: []string{"more"}})
	_ = append(v.Rows, []int{1})
	for i := range v.Rows {
		_ = append(v.Rows[i], 77)
	}
	for i := range v.Below {
		appendAll(&v.Below[i])
	}
}

// TestSlabBound holds what a piece that is shared may have.
func TestSlabBound(t *testing.T) {
	d := new(Dec)
	s := slabOf[[64]byte](d)
	for n := range 300 {
		a := s.take()
		for len(a) < n {
			if len(a) == cap(a) {
				a = s.grow(a, 2)
			}
			a = a[:len(a)+1]
		}
		s.cut(a)
		for _, rest := range s.free {
			if cap(rest)*64 > sharedBytes || len(s.free) > 1 {
				t.Fatalf("%d elements leave %d bytes to others, in %d pieces", n, cap(rest)*64, len(s.free))
			}
		}
	}
	if p, q := newOf[int](d), newOf[int](d); p == q || *p != 0 || *q != 0 {
		t.Error("newOf returns one place twice")
	}
}

// TestSlabDepth bounds what slices inside slices of their own type take: a piece for
// each level would make a large value of a small document.
func TestSlabDepth(t *testing.T) {
	const deep = 4000
	binary := "{}"
	for range 12 {
		binary = `{"Below":[` + binary + "," + binary + "]}"
	}
	for name, doc := range map[string]string{
		"deep":      strings.Repeat(`{"Below":[`, deep) + "{}" + strings.Repeat("]}", deep),
		"binary":    binary,
		"short":     `{"Below":[` + strings.Repeat(`{"Below":[{"Below":[{}]}]},`, 5000) + "{}]}",
		"row in it": `{"Below":[` + strings.Repeat(`{"Rows":[[1],[2]]},`, 5000) + "{}]}",
	} {
		std := allocated(func(v *tree) error { return json.Unmarshal([]byte(doc), v) })
		code := Code[tree]{Decode: decodeTree, Print: printOf[tree]()}
		if got := allocated(func(v *tree) error { return code.Unmarshal([]byte(doc), v) }); got > 4*std {
			t.Errorf("%s: %d bytes allocated for a document of %d, encoding/json takes %d", name, got, len(doc), std)
		}
	}
}

// allocated is how many bytes f allocates.
func allocated(f func(*tree) error) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := f(new(tree)); err != nil {
		panic(err)
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestAlignment asks for what sync/atomic relies on where int has 32 bits: the first word
// of an allocation is aligned to eight bytes.
func TestAlignment(t *testing.T) {
	type odd struct {
		n int64
		_ int32
	}
	d := new(Dec)
	for range 5 {
		if p := newOf[odd](d); uintptr(unsafe.Pointer(&p.n))%8 != 0 {
			t.Errorf("a new value stands at %p", p)
		}
		s := slabOf[odd](d)
		if a := s.cut(append(s.grow(s.take(), 4), odd{})); uintptr(unsafe.Pointer(&a[0].n))%8 != 0 {
			t.Errorf("a new slice stands at %p", &a[0])
		}
	}
}
