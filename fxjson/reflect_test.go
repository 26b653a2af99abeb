package fxjson_test

import (
	"encoding"
	"encoding/json"
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/fxjson/internal/jsontypes"
)

var seed = flag.Uint64("seed", 51, "of the types that TestReflective makes")

// Types that hold what is special.
type (
	texter   interface{ encoding.TextMarshaler }
	named    struct{ A int }
	namedPtr *jsontypes.Upper
	pointers struct {
		A **int
		B *[]*string
		C *map[string]*bool
		D namedPtr
		E *jsontypes.Money
		F **jsontypes.Upper
	}
	base   struct{ ID, Shared int }
	other  struct{ Shared string }
	Public struct {
		Name string `json:"name"`
		base
	}
	embeds struct {
		base
		other
		*Public
		Shared float64 `json:"own,omitempty"`
		*time.Location
	}
	embedsNil struct {
		*base
		Z int
	}
	inner struct {
		X int `json:"x"`
	}
	tagged struct {
		inner `json:"in"`
		Y     any
	}
	generic[T any] struct {
		V    T            `json:"v"`
		List []T          `json:"list,omitempty"`
		Map  map[string]T `json:"map,omitempty"`
		Next *generic[T]  `json:"next,omitempty"`
	}
	recursive struct {
		Kids []recursive
		Map  map[string]recursive
		Up   *recursive
		Any  any
	}
	quoted struct {
		A int             `json:",string"`
		B *int            `json:",string"`
		C string          `json:",string"`
		D *string         `json:",string,omitempty"`
		E float32         `json:",string"`
		F bool            `json:",string"`
		G json.Number     `json:",string"`
		H uint8           `json:",string"`
		I []int           `json:",string"`
		J **int           `json:",string"`
		K any             `json:",string"`
		L jsontypes.Upper `json:",string"`
		M *bool           `json:",string"`
	}
	zeroes struct {
		A jsontypes.Zeroer  `json:",omitzero"`
		B *jsontypes.Zeroer `json:",omitzero"`
		C time.Time         `json:",omitzero"`
		D []int             `json:",omitzero"`
		E map[string]int    `json:",omitzero,omitempty"`
		F zeroByPointer     `json:"f,omitzero"`
		G fmt.Stringer      `json:",omitzero"`
		H [2]int            `json:",omitzero"`
		I zeroerIface       `json:",omitzero"`
	}
	zeroByPointer struct{ N int }
	zeroerIface   interface{ IsZero() bool }
	keys          struct {
		A map[int8]string
		B map[uint64]int
		C map[jsontypes.Color]int
		D map[netip.Addr]bool
		E map[jsontypes.Title]any
		F map[jsontypes.Upper]jsontypes.Upper
		G map[bothKey]int
		H map[jsontypes.Status]*named
	}
	bothKey  string
	unusable struct {
		A chan int     `json:",omitempty"`
		B func()       `json:",omitempty"`
		C map[bool]int `json:",omitempty"`
		D *complex128  `json:",omitempty"`
		E int
	}
	octets   []jsontypes.Octet
	matrix   [2][3]float32
	anyAlias interface{}
	folds    struct{ Kelvin, KELVIN, Strasse, Straße, aB int }
)

func (z *zeroByPointer) IsZero() bool { return z.N == 2 }

func (k bothKey) MarshalText() ([]byte, error)  { return []byte("k" + string(k)), nil }
func (k *bothKey) UnmarshalText(b []byte) error { *k = bothKey("text " + string(b)); return nil }
func (k *bothKey) UnmarshalJSON(b []byte) error { *k = bothKey("json " + string(b)); return nil }

// parts are types from which others are made.
var parts = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](),
	reflect.TypeFor[int64](),
	reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](),
	reflect.TypeFor[uint64](), reflect.TypeFor[uintptr](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[any](),
	reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](),
	reflect.TypeFor[json.Number](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[big.Int](), reflect.TypeFor[*big.Float](),
	reflect.TypeFor[netip.Addr](),
	reflect.TypeFor[plainInterned](), reflect.TypeFor[jsontypes.Status](), reflect.TypeFor[jsontypes.Title](),
	reflect.TypeFor[jsontypes.Flag](), reflect.TypeFor[jsontypes.Ratio](), reflect.TypeFor[jsontypes.Color](),
	reflect.TypeFor[jsontypes.Money](), reflect.TypeFor[jsontypes.Upper](), reflect.TypeFor[jsontypes.ByPointer](),
	reflect.TypeFor[jsontypes.TextSlice](), reflect.TypeFor[jsontypes.Zeroer](),
	reflect.TypeFor[jsontypes.Point](), reflect.TypeFor[jsontypes.SSEEvent](), reflect.TypeFor[jsontypes.Embedded](),
	reflect.TypeFor[map[string]any](), reflect.TypeFor[map[string]string](),
	reflect.TypeFor[[]any](), reflect.TypeFor[[]byte](), reflect.TypeFor[octets](), reflect.TypeFor[matrix](),
	reflect.TypeFor[anyAlias](), reflect.TypeFor[texter](), reflect.TypeFor[fmt.Stringer](),
	reflect.TypeFor[named](), reflect.TypeFor[namedPtr](), reflect.TypeFor[pointers](), reflect.TypeFor[embeds](),
	reflect.TypeFor[embedsNil](), reflect.TypeFor[tagged](),
	reflect.TypeFor[generic[int]](), reflect.TypeFor[generic[map[string]jsontypes.Point]](), reflect.TypeFor[generic[any]](),
	reflect.TypeFor[recursive](), reflect.TypeFor[quoted](),
	reflect.TypeFor[zeroes](), reflect.TypeFor[keys](), reflect.TypeFor[unusable](), reflect.TypeFor[folds](),
	reflect.TypeFor[struct{}](), reflect.TypeFor[[0]int](), reflect.TypeFor[[1]*int](),
	reflect.TypeFor[struct{ P *int }](), reflect.TypeFor[struct{ jsontypes.Money }](), reflect.TypeFor[jsontypes.Options](),
	reflect.TypeFor[jsontypes.Folded](), reflect.TypeFor[strange](),
}

// strange has keys that only version 2 of encoding/json knows.
type strange struct {
	A map[float64]int
	B map[bool]int
	C map[jsontypes.Upper]int
	D jsontypes.AppendedText
	E *jsontypes.StrangeName
}

// someType makes a type of others.
func someType(r *rand.Rand, depth int) reflect.Type {
	if depth == 0 || r.IntN(4) == 0 {
		return parts[r.IntN(len(parts))]
	}
	switch r.IntN(6) {
	case 0:
		return reflect.PointerTo(someType(r, depth-1))
	case 1:
		return reflect.SliceOf(someType(r, depth-1))
	case 2:
		return reflect.ArrayOf(r.IntN(4), someType(r, depth-1))
	case 3:
		key := []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[uint16](),
			reflect.TypeFor[jsontypes.Title](), reflect.TypeFor[netip.Addr]()}
		return reflect.MapOf(key[r.IntN(len(key))], someType(r, depth-1))
	}
	var fields []reflect.StructField
	used := map[string]bool{}
	for i := range r.IntN(7) {
		name := []string{"A", "Bb", "CCC", "Größe", "X_1", "Longer_name_than_most"}[r.IntN(6)]
		if used[name] {
			name = fmt.Sprint(name, i)
		}
		used[name] = true
		tag := ""
		if r.IntN(2) == 0 {
			tag = fmt.Sprintf(`json:"%s%s"`, []string{"", "a", "b", "-", "x<y>&", "größe", "b\u2028", "A", "no\\\"pe"}[r.IntN(9)],
				[]string{"", ",", ",omitempty", ",omitzero", ",string", ",omitempty,string", ",omitzero,omitempty"}[r.IntN(7)])
		}
		fields = append(fields, reflect.StructField{Name: name, Type: someType(r, depth-1), Tag: reflect.StructTag(tag)})
	}
	return reflect.StructOf(fields)
}

// TestReflective compares types without generated code with encoding/json.
func TestReflective(t *testing.T) {
	r := rand.New(rand.NewPCG(*seed, 52))
	types := parts
	for range runs(1500) {
		types = append(types, someType(r, 3))
	}
	for _, typ := range types {
		kind := func() any { return reflect.New(typ).Interface() }
		checkMarshal(t, kind())
		checkUnmarshal(t, kind, []byte("null"), []byte(`{"a":1}`))
		for range 4 {
			v := kind()
			fill(r, reflect.ValueOf(v).Elem(), 3)
			checkMarshal(t, v)
			checkMarshal(t, &[]any{v, reflect.ValueOf(v).Elem().Interface()})
			doc, err := json.Marshal(v)
			if err != nil {
				continue
			}
			checkUnmarshal(t, kind, doc, doc)
			checkUnmarshal(t, kind, mutate(r, doc), doc)
			checkUnmarshal(t, kind, doc, mutate(r, doc))
			checkUnmarshal(t, kind, doc, []byte(values[r.IntN(len(values))]))
		}
	}
}

// TestReflectiveCases holds what random documents seldom hit.
func TestReflectiveCases(t *testing.T) {
	for _, c := range []struct {
		kind func() any
		docs string
	}{
		{func() any { return new(quoted) }, `{"A":"1","B":"2","C":"\"x\\n\"","D":"\"d\"","E":"1.5","F":"true","G":"12","H":"7","J":"5","K":"x","L":"y","M":"false"} {"A":1} {"A":"x"} {"A":""} {"A":"null","B":"null","C":"null","M":"null"} {"A":null,"B":null,"C":null,"M":null} {"C":"x"} {"C":"\"\\ud800\""} {"C":"\"a"} {"E":"1e99"} {"E":"0x1p4"} {"E":"01"} {"F":"True"} {"F":"truefalse"} {"H":"256"} {"H":"-1"} {"A":" 1"} {"A":"1 "} {"A":"\u0031"} {"B":"nope"} {"B":5} {"B":{}} {"G":"x"} {"G":1} {"G":"\"1\""} {"I":[1]} {"J":5} {"F":"false","C":"true"}`},
		{func() any { return new(keys) }, `{"A":{"1":"a","128":"b","x":"c"},"B":{"-1":1,"5":2}} {"C":{"c<1>":1,"zz":2}} ` +
			`{"D":{"1.2.3.4":true,"bad":true}} {"F":{"a":"b"},"E":{"x":[1]}} {"G":{"a\u0000":1}} {"H":{"5":{"A":1},"6":null}} ` +
			`{"H":{"5":{"A":2}}} {"H":[]} {"H":5}`},
		{func() any { return new(embeds) }, `{"ID":1,"Shared":2,"name":"n","own":1.5} {"own":2} {"name":null} {"SHARED":1}`},
		{func() any { return new(embedsNil) }, `{"ID":1,"Z":2} {"Z":1} {"ID":"x","Z":3} {"ID":null}`},
		{func() any { return new(tagged) }, `{"in":{"x":1},"Y":{"a":[1e400]}} {"Y":5,"in":null} {"Y":1e400} {"in":5}`},
		{func() any { return new(pointers) }, `{"A":1,"B":["a",null],"C":{"x":true,"y":null},"D":"up","E":{"Cents":5},"F":"x"} ` +
			`{"A":null,"B":null,"C":null,"D":null,"E":null,"F":null} {"D":5} {"F":5,"A":2} {"E":5}`},
		{func() any { return new(unusable) }, `{"A":1,"E":2} {"B":null,"E":2} {"C":{"true":1},"E":3} {"C":{},"E":4} {"C":null} ` +
			`{"D":1,"E":5} {"D":null} {"A":[1],"E":1}`},
		{func() any { return new(recursive) }, `{"Kids":[{"Kids":[]},{"Any":1}],"Map":{"a":{"Up":{}}}} {"Kids":[{"Any":null}]} ` +
			`{"Kids":null,"Map":null,"Up":null} {"Up":{"Up":{"Any":[]}}}`},
		{func() any { return new(octets) }, `"AQID" [1,2] null "AQ" [1,300,"x"] "A\u0051ID" {} 5 "\n"`},
		{func() any { return new(matrix) }, `[[1,2,3],[4,5,6]] [[1]] [] [[1,2,3,4],[5],[6]] null [null,[7]] {} ["x"]`},
		{func() any { return new(any) }, `1 "x" [1,{"a":null}] null true 1e400 [1e400,2] {"a":1e400}`},
		{func() any { var s fmt.Stringer = &strings.Builder{}; return &s }, `{} null 1 "x" []`},
		{func() any { var x any = new(named); return &x }, `{"A":5} null {"A":"x"} 5 [1]`},
		{func() any { p := new(named); var x any = &p; return &x }, `{"A":5} null {"A":"x"} null {"A":6}`},
		{func() any { var x any = new(jsontypes.Upper); return &x }, `"abc" 5 null`},
		{func() any { var x texter = new(jsontypes.Upper); return &x }, `"abc" 5 null`},
		{func() any { return new(namedPtr) }, `"abc" 5 null`},
		{func() any { return &struct{ V any }{&struct{ W any }{5}} }, `{"V":{"W":7}} {"V":{"w":[1]}} {"V":null}`},
		{func() any { return new(struct{ jsontypes.Money }) }, `{"Cents":5} {"cents":"x"} 5`},
		{func() any { return &struct{ P *struct{ jsontypes.Money } }{} }, `{"P":{"Cents":5}} {"P":null} {"P":5}`},
		{func() any { return new(strange) }, `{"A":{"1.5":2,"x":3,"null":4},"B":{"true":1},"C":{"a":1},"D":{"N":5},"E":{"price€":1,"Price":2}} {"A":{"1e999":1}} {"A":null,"B":{}} {"D":"<5>"}`},
		{func() any { return new(jsontypes.TextSlice) }, `"a b" null [1] "c"`},
	} {
		docs := json.NewDecoder(strings.NewReader(c.docs))
		last := []byte("null")
		for docs.More() {
			var doc json.RawMessage
			if err := docs.Decode(&doc); err != nil {
				t.Fatal(err)
			}
			checkUnmarshal(t, c.kind, doc, doc)
			checkUnmarshal(t, c.kind, last, doc)
			for i := range doc {
				checkUnmarshal(t, c.kind, doc[:i], doc)
			}
			last = doc
		}
	}
}
