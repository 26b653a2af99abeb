// The program compares generated JSON code for the types in the variable all with encoding/json,
// and reports the differences.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/zmylab/zmy/fxjson"
)

var (
	seed   = flag.Uint64("seed", 3, "of values and documents")
	want   = flag.Int("checks", 10_000, "to make, all types together")
	checks int
	faults = map[string]int{}
)

func main() {
	flag.Parse()
	r = rand.New(rand.NewPCG(*seed, 5))
	union = fromPool
	for round := 0; checks < *want; round++ {
		for i, p := range all {
			t := reflect.TypeOf(p).Elem()
			v := reflect.New(t)
			if round > 0 { // the zero value first
				fill(v.Elem(), 4)
			}
			switch {
			case len(twins) > 0:
				pair(i)
			case *tiny:
				small(t, v)
			default:
				one(t, v)
			}
		}
	}
	if len(twins) > 0 && missing == 0 {
		fault("required", "no member was ever missing")
	}
	fmt.Printf("checks %d faults %d stale %d\n", checks, len(faults), stale())
	if len(faults) > 0 {
		os.Exit(1)
	}
}

// fault counts a fault, and prints it if it is one of the first two of its kind.
func fault(kind, format string, args ...any) {
	if faults[kind]++; faults[kind] <= 2 {
		for i, arg := range args {
			if text := fmt.Sprintf("%s", arg); len(text) > 1500 {
				args[i] = text[:1500] + "…"
			}
		}
		fmt.Printf(kind+": "+format+"\n", args...)
	}
}

// result is the outcome of a call of json or fxjson: output, error or panic.
type result struct {
	out   []byte
	err   string
	panic any
}

// try calls f and returns its result. If f panics, the result has the panic.
func try(f func() ([]byte, error)) (res result) {
	defer func() {
		if p := recover(); p != nil {
			res = result{panic: fmt.Sprintf("%v\n%s", p, debug.Stack())}
		}
	}()
	out, err := f()
	if err != nil {
		return result{err: err.Error()}
	}
	return result{out: out}
}

// like reports whether two calls had the same result. It does not compare the texts of panics.
func (a result) like(b result) bool {
	return string(a.out) == string(b.out) && a.err == b.err && (a.panic == nil) == (b.panic == nil)
}

func (a result) String() string {
	switch {
	case a.panic != nil:
		return fmt.Sprint("panic: ", a.panic)
	case a.err != "":
		return "error: " + a.err
	}
	return string(a.out)
}

// one makes all checks with the value of type t that v points to.
func one(t reflect.Type, v reflect.Value) {
	byPointer := v.Interface()
	std := try(func() ([]byte, error) { return json.Marshal(byPointer) })
	if strings.HasPrefix(fmt.Sprint(std.panic), "reflect: call of reflect.Value.Type on zero Value") {
		return // a panic of encoding/json of version 2: an interface has a nil pointer whose MarshalJSON is promoted
	}
	same := func(kind string, want result, f func() ([]byte, error)) {
		checks++
		if got := try(f); !got.like(want) && !otherError(byPointer, got, want) {
			fault(kind, "%s:\n%s\nwant\n%s", t, got, want)
		}
	}
	if *only != "" {
		oneWay(t, v)
	}
	if *only != "decode" {
		encode(t, v, std, same)
	}
	if std.out == nil || *only == "encode" {
		return
	}
	decode(t, std.out)
	tree := parse(std.out)
	for range 4 {
		decode(t, damage(std.out))
		decode(t, tree.vary(6))
	}
}

// otherError reports whether encoding/json returns the result got, an error, in one of 300 more
// calls. Its error may differ from call to call, because version 2 follows the order of maps: for
// keys that have the same text, and if several elements cannot be marshaled.
func otherError(v any, got, want result) bool {
	for n := 0; got.err != "" && want.err != "" && n < 300; n++ {
		if std := try(func() ([]byte, error) { return json.Marshal(v) }); std.like(got) {
			return true
		}
	}
	return false
}

// encode makes the checks of marshaling.
func encode(t reflect.Type, v reflect.Value, std result, same func(kind string, want result, f func() ([]byte, error))) {
	byPointer, byValue := v.Interface(), v.Elem().Interface()
	same("Marshal of a pointer", std, func() ([]byte, error) { return fxjson.Marshal(byPointer) })
	stdValue := try(func() ([]byte, error) { return json.Marshal(byValue) })
	same("Marshal of a value", stdValue, func() ([]byte, error) { return fxjson.Marshal(byValue) })
	if m, ok := byValue.(appender); !own(t) {
	} else if ok {
		same("AppendJSON", stdValue, func() ([]byte, error) { return m.AppendJSON(nil) })
	} else if m, ok := byPointer.(appender); ok {
		same("AppendJSON by pointer", std, func() ([]byte, error) { return m.AppendJSON(nil) })
	}
	if r.IntN(4) == 0 {
		plain := try(func() ([]byte, error) {
			var b bytes.Buffer
			enc := json.NewEncoder(&b)
			enc.SetEscapeHTML(false)
			err := enc.Encode(byValue)
			return b.Bytes(), err
		})
		same("Encoder without HTML", plain, func() ([]byte, error) {
			var b bytes.Buffer
			enc := fxjson.NewEncoder(&b)
			enc.SetEscapeHTML(false)
			err := enc.Encode(byValue)
			return b.Bytes(), err
		})
	}
	if r.IntN(4) == 0 && std.panic == nil { // not if a method of a nil pointer has panicked: functions are not called for nil pointers
		opt := fxjson.DefaultMarshal
		opt.Marshalers = marshalers
		same("Marshal with functions", std, func() ([]byte, error) {
			b, err := opt.Marshal(byPointer)
			switch {
			case err != nil && std.err != "": // the text of a function's error may differ
				return nil, errors.New(std.err)
			case err != nil && strings.Contains(err.Error(), noFuncs):
				return std.out, nil
			}
			return b, err
		})
	}
}

// decode unmarshals into new values, or into values that hold something.
func decode(t reflect.Type, doc []byte) {
	got, want := reflect.New(t), reflect.New(t)
	kind := "Unmarshal"
	used := r.IntN(3) == 0
	if used {
		kind = "Unmarshal into a used value"
		seed := r.Uint64()
		refill(got, seed)
		refill(want, seed)
	}
	unmarshal, std := fxjson.Unmarshal, json.Unmarshal
	switch r.IntN(6) {
	case 0:
		if m, ok := got.Interface().(interface{ DecodeJSON([]byte) error }); ok && own(t) && used == (r.IntN(3) == 0) {
			kind += " by DecodeJSON"
			unmarshal = func(b []byte, _ any) error { return m.DecodeJSON(b) }
		}
	case 1:
		kind += " strictly"
		unmarshal = fxjson.UnmarshalOptions{DisallowUnknownFields: true, UseNumber: true}.Unmarshal
		std = strictly
	case 2:
		if unquotes(t, used, map[reflect.Type]bool{}) {
			break
		}
		kind += " with functions"
		unmarshal = fxjson.UnmarshalOptions{Unmarshalers: unmarshalers}.Unmarshal
	}
	input := bytes.Clone(doc)
	g := try(func() ([]byte, error) { return nil, unmarshal(input, got.Interface()) })
	w := try(func() ([]byte, error) { return nil, std(doc, want.Interface()) })
	checks++
	if strings.HasSuffix(kind, "functions") && (strings.Contains(g.err, noFuncs) || g.err != "" && w.err != "") {
		return // after an error, a function leaves another value than a method does
	}
	if g.panic != nil && w.err != "" && inMethod(fmt.Sprint(g.panic)) {
		return // fxjson calls methods before it has checked the whole document, and this is documented
	}
	switch {
	case (g.panic == nil) != (w.panic == nil), (g.err == "") != (w.err == ""):
		fault(kind+" accepts", "%s from %s: %v, want %v", t, doc, g, w)
	case g.panic != nil:
	case !used && g.err != w.err: // for used values the texts of errors may differ
		fault(kind+" error", "%s from %s: %v, want %v", t, doc, g, w)
	case !bytes.Equal(input, doc):
		fault(kind+" input", "%s from %s: the input became %s", t, doc, input)
	case !equal(got, want):
		g, _ := json.Marshal(got.Interface())
		x, _ := json.Marshal(want.Interface())
		fault(kind, "%s from %s (%v):\n%s\nwant\n%s", t, doc, w, g, x)
	}
}

// noFuncs is the end of the errors for types with which functions cannot be used.
const noFuncs = "uses what only encoding/json/v2 knows, so that it takes no functions for types in it"

// unquotes reports whether t has a field with option string. Of such a field, encoding/json gives
// methods the text without quotes, but fxjson gives functions the whole value. If the target is
// used, an interface in it may hold a struct with such a field.
func unquotes(t reflect.Type, used bool, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface:
		return used
	case reflect.Map, reflect.Pointer, reflect.Slice, reflect.Array:
		return unquotes(t.Elem(), used, seen)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if strings.Contains(f.Tag.Get("json"), ",string") || unquotes(f.Type, used, seen) {
				return true
			}
		}
	}
	return false
}

// own reports whether t can have generated methods of its own. An instance of a generic type
// cannot: it may only have methods of an embedded field.
func own(t reflect.Type) bool { return !strings.Contains(t.Name(), "[") }

// inMethod reports whether a panic comes from a method of the types.
func inMethod(stack string) bool {
	_, stack, _ = strings.Cut(stack, "\npanic(")
	method, runtime := strings.Index(stack, "Unmarshal"), strings.Index(stack, "/fxjson/")
	return method >= 0 && method < runtime
}

// strictly is json.Unmarshal with the options UseNumber and DisallowUnknownFields, which only a
// Decoder has.
func strictly(b []byte, v any) error {
	if err := json.Unmarshal(b, new(json.RawMessage)); err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	dec.DisallowUnknownFields()
	return dec.Decode(v)
}

// equal compares the values that two pointers point to. If a type may contain a map whose keys are
// pointers, the keys of equal maps differ. Then equal compares the sorted bytes of the JSON texts,
// because two such keys may have the same text, and then the order of their members is not fixed.
func equal(a, b reflect.Value) bool {
	if reflect.DeepEqual(a.Interface(), b.Interface()) {
		return true
	}
	if !pointerKeys(a.Type(), map[reflect.Type]bool{}) {
		return false
	}
	sorted := func(v reflect.Value) result {
		x := try(func() ([]byte, error) { return json.Marshal(v.Interface()) })
		slices.Sort(x.out)
		return x
	}
	return sorted(a).like(sorted(b))
}

// pointerKeys reports whether a value of the type may contain a map whose keys are pointers.
func pointerKeys(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Map:
		return t.Key().Kind() == reflect.Pointer || pointerKeys(t.Elem(), seen)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return pointerKeys(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if pointerKeys(t.Field(i).Type, seen) {
				return true
			}
		}
	}
	return false
}

func refill(p reflect.Value, seed uint64) {
	saved := r
	r = rand.New(rand.NewPCG(seed, 1))
	fill(p.Elem(), 3)
	r = saved
}

// fromPool returns a value for the interface type t: a value of one of the pool's types, a pointer
// to one, or a nil pointer. It returns nil if it finds none.
func fromPool(t reflect.Type, depth int) any {
	for range 20 {
		p := reflect.New(reflect.TypeOf(current[r.IntN(len(current))]).Elem())
		if depth > 0 {
			fill(p.Elem(), depth-2)
		}
		switch r.IntN(5) {
		case 0:
			p = reflect.Zero(p.Type())
		case 1, 2:
			p = p.Elem()
		}
		if p.Type().Implements(t) {
			return p.Interface()
		}
	}
	return nil
}
