package gobin_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/describe"
	"github.com/zmylab/zmy/gen/emit/gobin/testdata/carriers"
	"github.com/zmylab/zmy/gen/emit/gobin/testdata/kinds"
	"github.com/zmylab/zmy/gen/emit/gobin/testdata/versions"
	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/schema/dynamic"
)

// Types whose messages are read and written by their schema alone too.
var dynamicTypes = []struct {
	expr string
	make func() any
}{
	{"Every", func() any { return new(kinds.Every) }},
	{"V1", func() any { return new(versions.V1) }},
	{"V3", func() any { return new(versions.V3) }},
	{"V1", func() any { return new(carriers.V1) }},
	{"V2", func() any { return new(carriers.V2) }},
	{"V3", func() any { return new(carriers.V3) }},
	{"S1", func() any { return new(carriers.S1) }},
	{"S2", func() any { return new(carriers.S2) }},
	{"SDrop", func() any { return new(carriers.SDrop) }},
	{"Full", func() any { return new(carriers.Full) }},
	{"Kept", func() any { return new(carriers.Kept) }},
}

var dynamicCodecs = sync.OnceValues(func() (list []*dynamic.Codec, err error) {
	for _, c := range dynamicTypes {
		codec, err := codecFor(reflect.TypeOf(c.make()).Elem().PkgPath(), c.expr)
		if err != nil {
			return nil, err
		}
		list = append(list, codec)
	}
	return list, nil
})

func codecFor(pkg, expr string) (*dynamic.Codec, error) {
	loaded, err := load.Load(context.Background(), load.Config{}, pkg)
	if err != nil {
		return nil, err
	}
	p, err := loaded.Build(expr)
	if err != nil {
		return nil, err
	}
	plan, err := check.ZMY(p, check.ZMYOptions{})
	if err != nil {
		return nil, err
	}
	return dynamic.New(describe.Schema(plan.Roots[0]))
}

// A message becomes a tree, lossless JSON and plain JSON; tree and lossless JSON
// become the message again, byte for byte.
func roundTripDynamic(t *testing.T, c *dynamic.Codec, b []byte) {
	t.Helper()
	wide := zmy.UnmarshalOptions{MaxWire: 1 << 24}
	tree, err := c.DecodeOptions(b, wide)
	if err != nil {
		t.Fatalf("%v\n%x", err, b)
	}
	again, err := c.AppendOptions([]byte("before"), tree, wideOpen)
	if err != nil || !bytes.Equal(again[6:], b) {
		t.Fatalf("tree: %v\n%x\n%x", err, b, again)
	}
	text, err := c.AppendJSON(nil, tree, dynamic.JSONOptions{Lossless: true})
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := c.ParseJSON(text, dynamic.JSONOptions{Lossless: true})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	again, err = c.AppendOptions(nil, parsed, wideOpen)
	if err != nil || !bytes.Equal(again, b) {
		t.Fatalf("lossless JSON: %v\n%x\n%x\n%s", err, b, again, text)
	}
	plain, err := c.AppendJSON(nil, tree, dynamic.JSONOptions{})
	if err != nil || !json.Valid(plain) {
		t.Fatalf("%v: %s", err, plain)
	}
	if _, err := c.ParseJSON(plain, dynamic.JSONOptions{}); err != nil {
		t.Fatalf("%v\n%s", err, plain)
	}
}

// The bytes are those of generated code.
func TestDynamic(t *testing.T) {
	codecs, err := dynamicCodecs()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	for i, c := range dynamicTypes {
		for n := range 300 {
			v := c.make()
			fill(r, reflect.ValueOf(v).Elem(), 3+n%5)
			b, err := wideOpen.Append(nil, v)
			if err != nil {
				t.Fatal(err)
			}
			roundTripDynamic(t, codecs[i], b)
		}
	}
}

// What the schema does not know is kept, as generated code keeps it.
func TestDynamicUnknown(t *testing.T) {
	codecs, err := dynamicCodecs()
	if err != nil {
		t.Fatal(err)
	}
	byType := map[reflect.Type]*dynamic.Codec{}
	for i, c := range dynamicTypes {
		byType[reflect.TypeOf(c.make()).Elem()] = codecs[i]
	}
	r := rand.New(rand.NewPCG(7, 8))
	for _, c := range []struct{ newer, older any }{
		{carriers.V2{}, carriers.V1{}}, {carriers.V3{}, carriers.V1{}}, {carriers.V3{}, carriers.V2{}},
		{carriers.S2{}, carriers.S1{}}, {carriers.Full{}, carriers.Kept{}},
	} {
		for n := range 300 {
			v := reflect.New(reflect.TypeOf(c.newer))
			fill(r, v.Elem(), 3+n%4)
			b, err := wideOpen.Append(nil, v.Interface())
			if err != nil {
				t.Fatal(err)
			}
			roundTripDynamic(t, byType[reflect.TypeOf(c.older)], b)
		}
	}
}

// FuzzDynamic holds the codec of kinds.Every against generated code: both accept
// the same, and make the same of it.
func FuzzDynamic(f *testing.F) {
	codecs, err := dynamicCodecs()
	if err != nil {
		f.Fatal(err)
	}
	r := rand.New(rand.NewPCG(9, 10))
	for n := range 20 {
		var v kinds.Every
		fill(r, reflect.ValueOf(&v).Elem(), 3+n%6)
		b, err := wideOpen.Append(nil, &v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		tree, err := codecs[0].Decode(b)
		if verr := codecs[0].Verify(b, zmy.UnmarshalOptions{}); (err == nil) != (verr == nil) {
			t.Fatalf("decode says %v, verify says %v", err, verr)
		}
		if _, gerr := kinds.ViewEvery(b); (err == nil) != (gerr == nil) {
			t.Fatalf("%v, generated code says %v", err, gerr)
		}
		if err != nil {
			return
		}
		o := zmy.UnmarshalOptions{Exact: true}
		if _, err := codecs[0].DecodeOptions(b, o); err == nil {
			roundTripDynamic(t, codecs[0], b)
			return
		}
		// Of another version: it is written as this one, as generated code does.
		again, err := codecs[0].Encode(tree)
		if err != nil {
			t.Fatal(err)
		}
		roundTripDynamic(t, codecs[0], again)
	})
}
