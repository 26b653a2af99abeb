package gobin_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/gen/emit/gobin/testdata/kinds"
)

// Every accessor of every view shows what the value holds.
func TestViewsShowTheValue(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for i := range 300 {
		var v kinds.Every
		fill(r, reflect.ValueOf(&v).Elem(), 3+i%5)
		b, err := wideOpen.Append(nil, &v)
		if err != nil {
			t.Fatal(err)
		}
		view, err := kinds.ViewEveryOptions(b, zmy.UnmarshalOptions{MaxWire: 1 << 24})
		if err != nil {
			t.Fatal(err)
		}
		sameView(t, "Every", reflect.ValueOf(view), reflect.ValueOf(v))
	}
}

// Accessors of views over damaged messages, not verified, do not panic.
func TestViewsOfDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for _, b := range samples(150, 25) {
		for range 3 {
			b[r.IntN(min(len(b), 600))] ^= 1 << r.IntN(8)
		}
		if view, err := kinds.ViewEveryLazy(b); err == nil {
			touch(reflect.ValueOf(view), 4)
		}
	}
}

func isView(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && strings.Contains(t.Name(), "View")
}

func sameView(t *testing.T, path string, view, v reflect.Value) {
	t.Helper()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Tag.Get("zmy") == "-" || f.Tag.Get("zmy") == "" || !f.IsExported() { // reflect sees no unexported methods
			continue
		}
		m := view.MethodByName(f.Name)
		if !m.IsValid() {
			t.Fatalf("%s has no accessor %s", path, f.Name)
		}
		sameField(t, path+"."+f.Name, view, m, f.Name, v.Field(i))
	}
}

func sameField(t *testing.T, path string, view, m reflect.Value, name string, v reflect.Value) {
	t.Helper()
	if m.Type().NumIn() == 0 {
		out := m.Call(nil)
		if len(out) == 1 {
			same(t, path, out[0], v)
		} else if out[1].Kind() == reflect.Bool {
			if out[1].Bool() == v.IsNil() {
				t.Fatalf("%s: present %v", path, out[1])
			}
			if !v.IsNil() {
				same(t, path, out[0], v.Elem())
			}
		} else if !out[1].IsNil() {
			t.Fatalf("%s: %v", path, out[1])
		} else {
			same(t, path, out[0], v)
		}
		return
	}
	n := view.MethodByName(name + "Len").Call(nil)[0].Int()
	if v.Kind() == reflect.Map {
		if int(n) != v.Len() {
			t.Fatalf("%s: %d pairs, want %d", path, n, v.Len())
		}
		for _, k := range v.MapKeys() {
			out := m.Call([]reflect.Value{k})
			if !out[1].Bool() {
				t.Fatalf("%s: no key %v", path, k)
			}
			same(t, path, out[0], v.MapIndex(k))
		}
		return
	}
	if v.Kind() == reflect.Array && n == 0 && v.IsZero() {
		return
	}
	if int(n) != v.Len() {
		t.Fatalf("%s: %d elements, want %d", path, n, v.Len())
	}
	for i := range v.Len() {
		same(t, path, m.Call([]reflect.Value{reflect.ValueOf(i)})[0], v.Index(i))
	}
}

func same(t *testing.T, path string, got, want reflect.Value) {
	t.Helper()
	if isView(got.Type()) {
		for want.Kind() == reflect.Pointer {
			want = want.Elem()
		}
		sameView(t, path, got, want)
		return
	}
	if !reflect.DeepEqual(got.Interface(), want.Interface()) && !(want.Kind() == reflect.Slice && want.Len() == 0 && got.Len() == 0) {
		t.Fatalf("%s: %v, want %v", path, got, want)
	}
}

// touch calls every accessor.
func touch(view reflect.Value, depth int) {
	if depth == 0 {
		return
	}
	follow := func(out []reflect.Value) {
		if isView(out[0].Type()) {
			touch(out[0], depth-1)
		}
	}
	for i := range view.NumMethod() {
		m, name := view.Method(i), view.Type().Method(i).Name
		switch m.Type().NumIn() {
		case 0:
			follow(m.Call(nil))
		case 1:
			arg := m.Type().In(0)
			if arg.Kind() == reflect.String {
				follow(m.Call([]reflect.Value{reflect.New(arg).Elem()}))
				continue
			}
			size := view.MethodByName(strings.TrimSuffix(name, "Key") + "Len")
			for j := range size.Call(nil)[0].Int() {
				if j < 3 {
					follow(m.Call([]reflect.Value{reflect.ValueOf(int(j))}))
				}
			}
		}
	}
}
