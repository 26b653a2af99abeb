package zmyvector

import (
	"reflect"
	"strings"
)

// Walk calls every accessor of a view, and of the views that these return. It returns the number of
// calls.
func Walk(view reflect.Value) int { return walk(view, 0) }

// maxWalk limits the elements that Walk reads of one list, and maxLevel the nesting of views. Each
// call opens its view again, so without limits a walk would take more than linear time.
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

// count returns the length of the list or map of the accessor called name.
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
