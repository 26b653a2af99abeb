// Command oracle sends values of many types to rec.Marshal on many ways.
package main

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"sort"
	"strings"
	"sync"

	"example.org/oracle/rec"
)

type A struct{ X int }
type B struct{ Y string }
type C []int
type D map[string]A

func (A) Name() string  { return "A" }
func (*B) Name() string { return "B" }
func (C) Len() int      { return 0 }

type named interface{ Name() string }

func main() {
	calls()
	closures()
	containers()
	generic()
	dynamic()
	flow(3)
	pointers()
	loops()
	defers()
	concurrent()
	var t T[A]
	t.emit(A{})
	(&t).pointer(B{})
	initial()
	methods()
	results()
}

func wrap1(v any)              { rec.Marshal(v) }
func wrap2(v any, n int)       { wrap1(v) }
func wrap3(vs ...any)          { wrap2(vs[0], 1); wrap2(vs, 2) }
func wrap4(v named)            { wrap1(v) }
func swap(a, b any) (any, any) { return b, a }

func calls() {
	wrap1(A{})
	wrap2(&B{}, 1)
	wrap3(C{}, D{})
	wrap4(A{})
	wrap4(&B{})
	x, y := swap(A{}, 7)
	rec.Marshal(x)
	rec.Marshal(y)
	rec.Marshal(fmt.Errorf("x"))
}

func closures() {
	v := any(A{})
	func() {
		rec.Marshal(v)
		func() { v = B{}; rec.Marshal(v) }()
		func() { rec.Marshal(v) }()
	}()
	f := func(v any) { rec.Marshal(v) }
	f(D{})
	g := make([]func(), 0)
	for i := range 2 {
		g = append(g, func() { rec.Marshal(i) })
	}
	for _, h := range g {
		h()
	}
	apply(func(v any) { rec.Marshal(v) }, C{})
	apply(wrap1, &A{})
	counter := func() func() any {
		n := any(0)
		return func() any { n = "s"; return n }
	}()
	rec.Marshal(counter())
}

func apply(f func(any), v any) { f(v) }

type box struct {
	in  any
	arr [2]any
	fns map[string]func(any)
	sub *box
}

func containers() {
	b := box{in: A{}, fns: map[string]func(any){"a": wrap1}}
	b.arr[1] = "text"
	rec.Marshal(b.in)
	rec.Marshal(b.arr[1])
	b.fns["a"](1.5)
	b.sub = &box{in: &C{}}
	rec.Marshal(b.sub.in)
	m := map[string][]any{"k": {A{}, B{}}}
	m["l"] = append(m["l"], int8(1))
	keys := make([]string, 0)
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		for _, v := range m[k] {
			rec.Marshal(v)
		}
	}
	nested := map[string]map[string]any{"x": {"y": uint(3)}}
	rec.Marshal(nested["x"]["y"])
	s := []any{1, "two"}
	t := s[1:]
	t[0] = 2.5
	rec.Marshal(t[0])
	copied := slices.Clone(s)
	rec.Marshal(copied[0])
	any3 := [3]any{A{}, nil, C{}}
	for _, v := range any3 {
		if v != nil {
			rec.Marshal(v)
		}
	}
	anon := struct{ V any }{V: &D{}}
	rec.Marshal(anon.V)
	p := &anon
	p.V = int16(1)
	rec.Marshal(p.V)
	dst := make([]any, 1)
	copy(dst, s)
	rec.Marshal(dst[0])
	var tree any = map[string]any{"a": []any{map[string]any{"b": uint8(3)}}}
	rec.Marshal(tree.(map[string]any)["a"].([]any)[0].(map[string]any)["b"])
}

type T[X any] struct{ v X }

func (t T[X]) emit(v X)       { rec.Marshal(v); func() { rec.Marshal(&v) }() }
func (t *T[X]) pointer(v any) { rec.Marshal(v) }

func emit[X any](v X) { rec.Marshal(v); wrap1(&v) }

func mapAll[X, Y any](in []X, f func(X) Y) []Y {
	var out []Y
	for _, x := range in {
		out = append(out, f(x))
	}
	return out
}

type number interface{ ~int | ~string }

func constrained[N number](n N) { func() { rec.Marshal(n) }() }

type myInt int

func generic() {
	emit(A{})
	emit[any](B{})
	emit([]B{})
	for _, v := range mapAll([]int{1}, func(i int) any { return A{} }) {
		rec.Marshal(v)
	}
	rec.Marshal(mapAll([]int{1}, func(i int) B { return B{} }))
	constrained(myInt(1))
	constrained("s")
	T[string]{}.emit("x")
	T[any]{}.emit(C{})
}

type sink interface{ Put(v any) }
type sinkA struct{ next sink }
type sinkB struct{}

func (s sinkA) Put(v any)  { rec.Marshal(v); s.next.Put(v) }
func (s *sinkB) Put(v any) { rec.Marshal(v) }

type outer struct {
	sink
	*rec.Encoder
}

func dynamic() {
	var s sink = sinkA{&sinkB{}}
	s.Put(A{})
	o := outer{sink: s, Encoder: &rec.Encoder{}}
	o.Put(&B{})
	o.Encode(C{})
	f := o.Put
	f(D{})
	var e interface{ Encode(any) error } = o
	e.Encode(1)
	g := o.Encode
	g(A{})
	h := (*rec.Encoder).Encode
	h(o.Encoder, B{})
	(sink).Put(s, true)
	table := []func(any){wrap1, (&sinkB{}).Put, rec.Marshal}
	for _, f := range table {
		f(complex(1, 2))
	}
}

func flow(n int) {
	var v any
	switch n % 3 {
	case 0:
		v = A{}
	case 1:
		v = &A{}
	default:
		v = "x"
	}
	rec.Marshal(v)
	switch x := v.(type) {
	case A:
		rec.Marshal(x)
	case named:
		rec.Marshal(x)
	default:
		rec.Marshal(x)
	}
	if x, ok := v.(named); ok {
		rec.Marshal(x)
	}
	if n > 0 {
		flow(n - 1)
	}
	var err error = errors.Join(nil)
	if err == nil {
		rec.Marshal(strings.Repeat("a", 2))
	}
}

func fill(p *any, v any) { *p = v }

func pointers() {
	var v any = A{}
	fill(&v, int32(5))
	rec.Marshal(v)
	p := &v
	*p = int64(6)
	rec.Marshal(*p)
	pp := &p
	**pp = uint16(7)
	rec.Marshal(v)
	b := &box{}
	set(&b.in, float32(1))
	rec.Marshal(b.in)
	q := new(any)
	*q = []string{"a"}
	rec.Marshal(*q)
	arr := &[2]any{}
	arr[0] = byte(1)
	rec.Marshal(arr[0])
}

func set(p *any, v any) { fill(p, v) }

func seq(vs ...any) iter.Seq[any] {
	return func(yield func(any) bool) {
		for _, v := range vs {
			if !yield(v) {
				return
			}
		}
	}
}

func loops() {
	var last any = 1
	for i := 0; i < 3; i++ {
		rec.Marshal(last)
		if i == 0 {
			last = "b"
		} else {
			last = A{}
		}
	}
	for v := range seq(A{}, "x") {
		rec.Marshal(v)
		func() { rec.Marshal(v) }()
	}
	for v := range seq(1) {
		func() { rec.Marshal(v) }()
	}
	func() { rec.Marshal(last) }()
}

func defers() {
	defer rec.Marshal(A{})
	defer func() {
		rec.Marshal(recover())
	}()
	defer wrap1(B{})
	panic(D{})
}

func concurrent() {
	var wg sync.WaitGroup
	ch := make(chan any)
	wg.Add(1)
	go func() {
		defer wg.Done()
		for v := range ch {
			rec.Marshal(v)
		}
	}()
	ch <- A{}
	ch <- "x"
	close(ch)
	wg.Wait()
	one := make(chan any, 1)
	one <- C{}
	select {
	case v := <-one:
		rec.Marshal(v)
	}
	var once sync.Once
	once.Do(func() { rec.Marshal(&D{}) })
	var pool = sync.Pool{New: func() any { return &A{} }}
	rec.Marshal(pool.Get())
	var m sync.Map
	m.Store("a", B{})
	x, _ := m.Load("a")
	rec.Marshal(x)
}

var global any = A{}
var initialised = func() int { rec.Marshal(global); return 1 }()
var second, third = func() (int, int) { rec.Marshal(D{}); return 1, 2 }()

func init() { rec.Marshal(C{}); func() { rec.Marshal("in init") }() }

func init() { func() { rec.Marshal("in the second init") }() }

func initial() {
	rec.Marshal(global)
	global = &B{}
	rec.Marshal(global)
}

type tree struct {
	kids []*tree
	v    any
}

func (t *tree) walk(f func(any)) {
	f(t.v)
	for _, k := range t.kids {
		k.walk(f)
	}
}

func (t tree) each() { func() { rec.Marshal(t.v) }() }

func methods() {
	t := &tree{v: A{}, kids: []*tree{{v: "leaf"}}}
	t.walk(func(v any) { rec.Marshal(v) })
	t.each()
}

func make2(ok bool) (v any, err error) {
	defer func() {
		if v == nil {
			v = "nothing"
		}
	}()
	if ok {
		return A{}, nil
	}
	return nil, errors.New("x")
}

func results() {
	v, _ := make2(true)
	rec.Marshal(v)
	v, err := make2(false)
	rec.Marshal(v)
	rec.Marshal(err)
	f := func() (a, b any) { a, b = 1, A{}; return b, a }
	x, y := f()
	rec.Marshal(x)
	rec.Marshal(y)
}
