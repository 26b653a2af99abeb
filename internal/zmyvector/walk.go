package zmyvector

import (
	"reflect"
	"strings"
)

// Walk calls every accessor of a view, and of the views that those return. It
// returns how many calls it made.
func Walk(view reflect.Value) int { return walk(view, 0) }

// maxWalk bounds what one list shows, and how deep views are followed: views are
// opened anew at each call, so that a walk costs more than linear time.
const (
	maxWalk  = 8
	maxLevel = 6
)

func walk(view reflect.Value, level int) (calls int) {
	t := view.Type()
	for i := range t.NumMethod() {
		m, f := t.Method(i), view.Method(i)
		switch {
		case f.Type().NumIn() == 0:
			calls += results(f.Call(nil), level)
		case f.Type().In(0).Kind() == reflect.Int:
			for j := range min(maxWalk, count(view, m.Name)) {
				calls += results(f.Call([]reflect.Value{reflect.ValueOf(j)}), level)
			}
		default: // a map, by key
			key := view.MethodByName(m.Name + "Key")
			for j := range min(maxWalk, count(view, m.Name)) {
				calls += results(f.Call(key.Call([]reflect.Value{reflect.ValueOf(j)})), level)
			}
			calls += results(f.Call([]reflect.Value{reflect.ValueOf("none").Convert(f.Type().In(0))}), level)
		}
	}
	return calls
}

// count is what the accessor with the suffix Len says.
func count(view reflect.Value, name string) int {
	n := view.MethodByName(strings.TrimSuffix(name, "Key") + "Len")
	if !n.IsValid() {
		return 0
	}
	return int(n.Call(nil)[0].Int())
}

func results(out []reflect.Value, level int) int {
	calls := 1
	for _, v := range out {
		if level < maxLevel && strings.HasSuffix(v.Type().Name(), "View") {
			calls += walk(v, level+1)
		}
	}
	return calls
}
