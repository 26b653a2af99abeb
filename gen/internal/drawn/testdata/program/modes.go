package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"reflect"
	"strings"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/jsontiny"
)

var (
	only = flag.String("only", "", "the code was generated with that flag")
	tiny = flag.Bool("tiny", false, "the code was generated with that flag")
)

type (
	appender interface{ AppendJSON([]byte) ([]byte, error) }
	decoder  interface{ DecodeJSON([]byte) error }
)

// oneWay checks that the direction for which no code was generated returns the error that says so.
func oneWay(t reflect.Type, v reflect.Value) {
	p := v.Interface()
	if !own(t) || t.Kind() != reflect.Struct || hooked(t) {
		return
	}
	_, appends := p.(appender)
	_, decodes := p.(decoder)
	checks++
	if appends && decodes {
		fault("both directions", "%s", t)
	}
	var err error
	switch {
	case *only == "encode" && appends:
		err = fxjson.Unmarshal([]byte("{}"), reflect.New(t).Interface())
	case *only == "decode" && decodes:
		_, err = fxjson.Marshal(p)
	default:
		return
	}
	if err == nil || !strings.Contains(err.Error(), "its code was generated with -only="+*only) {
		fault("the other direction", "%s: %v", t, err)
	}
}

// small makes all checks of code for package jsontiny. It does not compare the texts of errors with
// those of encoding/json.
func small(t reflect.Type, v reflect.Value) {
	p := v.Interface()
	a, appends := p.(appender)
	_, decodes := p.(decoder)
	if !own(t) {
		return
	}
	if checks++; appends != (*only != "decode") || decodes != (*only != "encode") {
		fault("methods", "%s: %v, %v", t, appends, decodes)
		return
	}
	std := try(func() ([]byte, error) { return json.Marshal(v.Elem().Interface()) })
	if appends {
		checks++
		got := try(func() ([]byte, error) { return a.AppendJSON([]byte("x")) })
		if got.panic != nil || (got.err == "") != (std.err == "") || got.err == "" && string(got.out) != "x"+string(std.out) {
			fault("AppendJSON, tiny", "%s:\n%s\nwant\n%s", t, got, std)
		}
	}
	if !decodes || std.out == nil {
		return
	}
	decodeSmall(t, std.out)
	tree := parse(std.out)
	for range 4 {
		decodeSmall(t, damage(std.out))
		decodeSmall(t, tree.vary(6))
	}
}

func decodeSmall(t reflect.Type, doc []byte) {
	got, want := reflect.New(t), reflect.New(t)
	if r.IntN(3) == 0 {
		seed := r.Uint64()
		refill(got, seed)
		refill(want, seed)
	}
	var err error
	g := try(func() ([]byte, error) {
		err = got.Interface().(decoder).DecodeJSON(bytes.Clone(doc))
		return nil, err
	})
	w := try(func() ([]byte, error) { return nil, json.Unmarshal(doc, want.Interface()) })
	checks++
	e, ok := err.(*jsontiny.Error)
	switch {
	case g.panic != nil || (g.err == "") != (w.err == ""):
		fault("DecodeJSON accepts, tiny", "%s from %s: %v, want %v", t, doc, g, w)
	case err != nil && (!ok || e.Offset < 0 || e.Offset > len(doc)):
		fault("DecodeJSON error, tiny", "%s from %s: %#v", t, doc, err)
	case !equal(got, want):
		fault("DecodeJSON, tiny", "%s from %s (%v):\n%s\nwant\n%s", t, doc, w, show(got), show(want))
	}
}
