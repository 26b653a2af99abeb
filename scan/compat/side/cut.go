package side

import (
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// NOTE: a cut names a part of a value and what is done to it: "z" sets it to zero, "d" takes an
// element out of its list or map, "k3" keeps only the fourth character of a string. The steps to the
// part are indices: of fields, of elements, of keys in the order of their texts. A pointer or an
// interface is one step, 0. Example: "d:2.0.5".

// mostPlaces bounds the parts that Places lists.
const mostPlaces = 400

// mostRunes is the length of a string in characters up to which single ones are kept.
const mostRunes = 24

// Places lists the cuts that make v smaller, the largest parts first.
func Places(v reflect.Value) []string {
	p := &places{}
	level := []part{{v: v}}
	for depth := 0; len(level) > 0 && len(p.out) < mostPlaces && depth < deepest; depth++ {
		p.next = nil
		for _, x := range level {
			p.visit(x)
		}
		level = p.next
	}
	return p.out[:min(len(p.out), mostPlaces)]
}

// part is a part of a value with the steps to it.
type part struct {
	v     reflect.Value
	steps string
}

func (p part) step(i int, v reflect.Value) part {
	if p.steps == "" {
		return part{v, strconv.Itoa(i)}
	}
	return part{v, p.steps + "." + strconv.Itoa(i)}
}

type places struct {
	out  []string
	next []part
}

func (p *places) add(how string, x part) { p.out = append(p.out, how+":"+x.steps) }

// visit lists the cuts of x and queues its parts.
func (p *places) visit(x part) {
	v := x.v
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			p.next = append(p.next, x.step(0, v.Elem()))
		}
	case reflect.Struct:
		if v.Type() == timeType {
			return
		}
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() && !f.Anonymous || v.Field(i).IsZero() {
				continue
			}
			y := x.step(i, v.Field(i))
			if f.IsExported() {
				p.add("z", y)
			}
			p.next = append(p.next, y)
		}
	case reflect.Slice, reflect.Array:
		p.elements(x)
	case reflect.Map:
		for i, k := range keys(v) {
			y := x.step(i, v.MapIndex(k.v))
			p.add("d", y)
			p.next = append(p.next, y)
		}
	case reflect.String:
		if n := utf8.RuneCountInString(v.String()); n > 1 && n <= mostRunes {
			for i := range n {
				p.add("k"+strconv.Itoa(i), x)
			}
		} else if n > mostRunes {
			p.add("h", x)
			p.add("t", x)
		}
	}
}

func (p *places) elements(x part) {
	if x.v.Type().Elem().Kind() == reflect.Uint8 {
		return
	}
	for i := range min(x.v.Len(), 32) {
		y := x.step(i, x.v.Index(i))
		if x.v.Kind() == reflect.Slice {
			p.add("d", y)
		} else if !x.v.Index(i).IsZero() {
			p.add("z", y)
		}
		p.next = append(p.next, y)
	}
	if x.v.Len() > 32 && x.v.Kind() == reflect.Slice {
		p.add("h", x)
	}
}

// Cut makes one cut in v, which can be set. A cut that does not fit v does nothing.
func Cut(v reflect.Value, cut string) {
	how, steps, ok := strings.Cut(cut, ":")
	if !ok {
		return
	}
	var path []int
	for s := range strings.SplitSeq(steps, ".") {
		if s == "" {
			continue
		}
		n, err := strconv.Atoi(s)
		if err != nil {
			return
		}
		path = append(path, n)
	}
	descend(v, path, how)
}

// descend follows the path below v, makes the cut and puts copies back where a value cannot be set
// in place.
func descend(v reflect.Value, path []int, how string) {
	if len(path) == 0 {
		apply(v, how)
		return
	}
	i, rest := path[0], path[1:]
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			descend(v.Elem(), rest, how)
		}
	case reflect.Interface:
		if !v.IsNil() {
			replaced(v.Elem(), rest, how, v.Set)
		}
	case reflect.Struct:
		if i < v.NumField() {
			descend(v.Field(i), rest, how)
		}
	case reflect.Array, reflect.Slice:
		switch {
		case i >= v.Len():
		case len(rest) == 0 && how == "d" && v.Kind() == reflect.Slice && v.CanSet():
			v.Set(reflect.AppendSlice(v.Slice(0, i), v.Slice(i+1, v.Len())))
		default:
			descend(v.Index(i), rest, how)
		}
	case reflect.Map:
		ks := keys(v)
		switch {
		case i >= len(ks):
		case len(rest) == 0 && how == "d":
			v.SetMapIndex(ks[i].v, reflect.Value{})
		default:
			replaced(v.MapIndex(ks[i].v), rest, how, func(x reflect.Value) { v.SetMapIndex(ks[i].v, x) })
		}
	}
}

// replaced makes the cut in a copy of v, which put puts back.
func replaced(v reflect.Value, path []int, how string, put func(reflect.Value)) {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	descend(c, path, how)
	put(c)
}

// apply changes v itself.
func apply(v reflect.Value, how string) {
	if !v.CanSet() {
		return
	}
	switch {
	case how == "z":
		v.SetZero()
	case v.Kind() == reflect.Slice && how == "h":
		v.Set(v.Slice(0, v.Len()/2))
	case v.Kind() != reflect.String:
	case how == "h":
		v.SetString(v.String()[:len(v.String())/2])
	case how == "t":
		v.SetString(v.String()[len(v.String())/2:])
	default:
		n, err := strconv.Atoi(strings.TrimPrefix(how, "k"))
		if err != nil {
			return
		}
		for i, r := 0, v.String(); r != ""; i++ {
			_, size := utf8.DecodeRuneInString(r)
			if i == n {
				v.SetString(r[:size])
				return
			}
			r = r[size:]
		}
	}
}
