package fxjson_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/internal/jsontypes"
	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// kinds are new values of every generated type, by pointer.
var kinds = []func() any{
	func() any { return new(jsontypes.Session) },
	func() any { return new(jsontypes.Interned) },
	func() any { return new(jsontypes.InternedEvent) },
	func() any { return new(jsontypes.SSEEvent) },
	func() any { return new(jsontypes.Result) },
	func() any { return new(jsontypes.Scalars) },
	func() any { return new(jsontypes.Composites) },
	func() any { return new(jsontypes.Dynamic) },
	func() any { return new(jsontypes.Methods) },
	func() any { return new(jsontypes.Options) },
	func() any { return new(jsontypes.AllOptional) },
	func() any { return new(jsontypes.Empty) },
	func() any { return new(jsontypes.Embedded) },
	func() any { return new(jsontypes.Folded) },
	func() any { return new(jsontypes.Node) },
	func() any { return new(jsontypes.Tree) },
	func() any { return new(jsontypes.List) },
	func() any { return new(jsontypes.Pages) },
	func() any { return new(jsontypes.Status) },
	func() any { return new(jsontypes.Color) },
	jsontypes.NewPrivate,
	func() any { return new(jsontypes.Quoted) },
	func() any { return new(jsontypes.Holders) },
	func() any { return new(jsontypes.QuotedMethods) },
	func() any { return new(jsontypes.Behind) },
	func() any { return new(jsontypes.Beside) },
	func() any { return new(jsontypes.Keepers) },
	func() any { return new(jsontypes.Keys) },
	func() any { return new(jsontypes.Conflicts) },
	func() any { return new(jsontypes.Strange) },
	func() any { return new(jsontypes.StrangeName) },
	func() any { return new(jsontypes.StrangeKeys) },
	func() any { return new(jsontypes.StrangeFold) },
}

// TestGenerated makes sure that the other tests test generated code.
func TestGenerated(t *testing.T) {
	for _, k := range kinds {
		if _, ok := k().(interface{ JSONCode() any }); !ok {
			t.Errorf("%T has no generated code", k())
		}
	}
}

// sameError reports whether two errors are of the same type and text, and met at
// the same place.
func sameError(a, b error) bool {
	return reflect.TypeOf(a) == reflect.TypeOf(b) && (a == nil || a.Error() == b.Error() && offset(a) == offset(b))
}

// checkMarshal compares all ways of marshaling v, a pointer, and its element.
func checkMarshal(t *testing.T, v any) {
	t.Helper()
	elem := reflect.ValueOf(v).Elem().Interface()
	var want []byte
	var wantErr error
	for _, v := range []any{v, elem} {
		want, wantErr = json.Marshal(v)
		got, err := fxjson.Marshal(v)
		if (!sameError(err, wantErr) || !bytes.Equal(got, want)) && !alsoWritten(v, got, err) {
			t.Fatalf("Marshal(%T):\nhave %s, %v\nwant %s, %v", v, got, err, want, wantErr)
		}
		got, err = fxjson.Append([]byte("x"), v)
		if (!sameError(err, wantErr) || string(got) != "x"+string(want)) && !alsoWritten(v, got[1:], err) {
			t.Fatalf("Append(%T):\nhave %s, %v\nwant x%s, %v", v, got, err, want, wantErr)
		}
	}
	generated, ok := v.(interface{ AppendJSON([]byte) ([]byte, error) })
	if !ok {
		return
	}
	got, err := generated.AppendJSON([]byte("x"))
	if (!sameError(err, wantErr) || string(got) != "x"+string(want)) && !alsoWritten(elem, got[1:], err) {
		t.Fatalf("%T.AppendJSON:\nhave %s, %v\nwant x%s, %v", v, got, err, want, wantErr)
	}
}

// alsoWritten reports whether encoding/json returns got and err for v at other times. Version 2
// leaves keys with MarshalText that are not UTF-8, and become the same text, in the order of the
// map: if two of their elements cannot be marshaled, the error is that of either.
func alsoWritten(v any, got []byte, err error) bool {
	for try := 0; jsonwire.StdV2 && try < 500; try++ {
		if want, wantErr := json.Marshal(v); sameError(err, wantErr) && bytes.Equal(got, want) {
			return true
		}
	}
	return false
}

// checkUnmarshal compares decoding doc into a new value of kind, and then doc2
// into that same value, which it returns.
func checkUnmarshal(t *testing.T, kind func() any, doc, doc2 []byte) any {
	t.Helper()
	if jsonwire.StdV2 && panics(func() { v := kind(); json.Unmarshal(doc, v); json.Unmarshal(doc2, v) }) {
		return kind() // as version 2 did in Go 1.26 where a channel was to be filled
	}
	got, want := kind(), kind()
	fresh := reflect.ValueOf(got).Elem().IsZero()
	in := bytes.Clone(doc)
	err, wantErr := fxjson.Unmarshal(in, got), json.Unmarshal(doc, want)
	if !bytes.Equal(in, doc) {
		t.Fatalf("Unmarshal(%T) changed its input", got)
	}
	clear(in) // nothing may refer to it
	same := sameError
	if !fresh { // errors have the text for new targets
		same = func(a, b error) bool { return reflect.TypeOf(a) == reflect.TypeOf(b) }
	}
	if !same(err, wantErr) || !reflect.DeepEqual(got, want) {
		t.Fatalf("Unmarshal(%q, %T):\nhave %s, %v\nwant %s, %v", doc, got, show(got), err, show(want), wantErr)
	}
	err, wantErr = fxjson.Unmarshal(doc2, got), json.Unmarshal(doc2, want)
	if (err == nil) != (wantErr == nil) || reflect.TypeOf(err) != reflect.TypeOf(wantErr) || !reflect.DeepEqual(got, want) {
		t.Fatalf("Unmarshal(%q, %T) after %q:\nhave %s, %v\nwant %s, %v", doc2, got, doc, show(got), err, show(want), wantErr)
	}
	return want
}

func panics(f func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	f()
	return false
}

func show(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%+v", v)
	}
	return string(b)
}

func TestMarshalRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, kind := range kinds {
		checkMarshal(t, kind())
		for range runs(300) {
			v := kind()
			fill(r, reflect.ValueOf(v).Elem(), 4)
			checkMarshal(t, v)
		}
	}
}

func TestUnmarshalRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, kind := range kinds {
		for range runs(150) {
			a, b := document(r, kind), document(r, kind)
			checkUnmarshal(t, kind, a, b)
			checkUnmarshal(t, kind, mutate(r, a), b)
			checkUnmarshal(t, kind, a, mutate(r, b))
			checkUnmarshal(t, kind, mutate(r, a), mutate(r, a))
		}
	}
}

// document is a random value of the kind as JSON, perhaps indented.
func document(r *rand.Rand, kind func() any) []byte { return documentTo(r, kind, 3) }

// documentTo is document with pointers, maps and slices down to a depth. A type that
// encoding/json never writes, as some versions do those with tags that others know, has
// a document of other members.
func documentTo(r *rand.Rand, kind func() any, depth int) []byte {
	for range 1000 {
		v := kind()
		fill(r, reflect.ValueOf(v).Elem(), depth)
		b, err := json.Marshal(v)
		if err != nil {
			continue
		}
		if r.IntN(4) == 0 {
			var buf bytes.Buffer
			if err := json.Indent(&buf, b, "", "  "); err != nil {
				panic(err)
			}
			b = buf.Bytes()
		}
		return b
	}
	return []byte(`{"key": [1, "two", null], "format": "00ff", "": {"a": true}}`)
}

// mutate changes a document at one or two places.
func mutate(r *rand.Rand, doc []byte) []byte {
	m := bytes.Clone(doc)
	for range 1 + r.IntN(2) {
		if len(m) == 0 {
			return []byte("1")
		}
		p := r.IntN(len(m))
		switch r.IntN(8) {
		case 0:
			m[p] = byte(r.IntN(256))
		case 1:
			m = append(m[:p], m[p+1:]...)
		case 2:
			m = append(m[:p], append([]byte(" "), m[p:]...)...)
		case 3:
			m[p] = `{}[]",:0123456789.eE-+\ntfu`[r.IntN(27)]
		case 4:
			m = m[:p]
		case 5:
			m[p] ^= 0x20
		case 6, 7: // another value after a colon
			v := values[r.IntN(len(values))]
			q := bytes.IndexByte(m[p:], ':')
			if q < 0 {
				continue
			}
			end := bytes.IndexByte(m[p+q:], ',')
			if end < 0 {
				continue
			}
			m = append(append(append([]byte(nil), m[:p+q+1]...), v...), m[p+q+end:]...)
		}
	}
	return m
}

// values are what a mutated document may hold anywhere.
var values = []string{
	"null", "true", "false", "0", "-1", "1.0", "1e2", "300", "70000", "99999999999999999999", "1e999", "-0", `""`, `"x"`,
	`"\u00e9\ud83d\ude00"`,
	"\"\xff\"", `"12"`, `"null"`, `"true"`, `"nope"`, `" 1"`, "{}", "[]", `[1,"a",null,{}]`, `{"x":1,"X":2,"y":null}`, `["AQID"]`,
	`"AQID"`, `"AQI"`,
	`"2026-01-02T03:04:05Z"`, `"2026-01-02T03:04:05.5+02:00"`, `{"1":"a","x":"b"}`, `"c<7>"`, `"bad"`, `[[],[[]]]`, `[1,2,3,4,5,6,7,8,9]`,
}

// TestTruncations decodes every prefix of a document of each kind.
func TestTruncations(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, kind := range kinds {
		doc := document(r, kind)
		for i := 0; i < len(doc); i += 1 + i/200 {
			if skipped(r) {
				continue
			}
			checkUnmarshal(t, kind, doc[:i], doc)
			checkUnmarshal(t, kind, doc, doc[:i])
		}
	}
}

// TestUnmarshalCases holds what random documents seldom hit.
func TestUnmarshalCases(t *testing.T) {
	session, scalars := kinds[0], kinds[3]
	composites, dynamic, methods, options, embedded, folded, node := kinds[4], kinds[5], kinds[6], kinds[7], kinds[10], kinds[11], kinds[12]
	for _, c := range []struct {
		kind func() any
		doc  string
	}{
		{session, `null`}, {session, `[]`}, {session, `"x"`}, {session, `{}`}, {session, ` { } `}, {session, `{}x`},
		{session, `{"id":"1"}`}, {session, `{"id":1}`},
		{session, `{"id":"18446744073709551615","login_count":9223372036854775807}`}, {session, `{"id":"18446744073709551616"}`},
		{session, `{"unknown":{"a":[1,{"b":"\u12"}]}}`}, {session, `{"unknown":{"a":[1,{"b":"\u1234"}]},"user_name":"x"}`},
		{session, `{"permissions":[1,2,3],"permissions":[9]}`}, {session, `{"profile":{"age":1},"profile":{"email":"e"}}`},
		{session, `{"metadata":{"a":1,"b":{"c":[]}},"metadata":{"a":null}}`}, {session, `{"user_name":"a\u0000b\/\"\\\ud83d\ude00é"}`},
		{session, "{\"user_name\":\"\xff\xc3\",\"ip_address\":\"\\n\xff\"}"}, {session, "{\"user_name\":\"a\x01\"}"},
		{session, `{"balance":1e999,"active":true}`},
		{session, `{"balance":-0,"login_count":-0}`}, {session, `{"login_count":1.0}`}, {session, `{"login_count":1e2}`},
		{session, `{"login_count":01}`},
		{session, `{"created_at":"2026-01-02T03:04:05Z","created_at":null}`}, {session, `{"created_at":5}`},
		{session, `{"created_at":"\u0032026-01-02T03:04:05Z"}`},
		{session, `{"USER_NAME":"a","uſer_name":"b","user_name":"c"}`},
		{session, `{"user_name":null,"id":null,"profile":null,"metadata":null,"permissions":null}`},
		{session, `{"user_name":"a",}`}, {session, `{"user_name" "a"}`}, {session, `{"user_name":"a""x":1}`}, {session, `{,}`},
		{session, `{"user_name":}`},
		{scalars, `{"Int8":128,"Int16":-32769,"Uint8":256,"Uint8":-1,"Int32":2147483648,"Float32":1e39,"String":"after"}`},
		{scalars, `{"Number":"1.5"}`}, {scalars, `{"Number":1e5}`}, {scalars, `{"Number":"x","String":"a"}`},
		{scalars, `{"Number":""}`}, {scalars, `{"Number":"1e"}`},
		{scalars, `{"Bool":"true","Int":"1","String":1,"Status":"x","Title":2,"Float64":"1","Time":true}`},
		{scalars, `{"Float64":0.1e-7,"Float32":16777217}`},
		{composites, `{"Ints":[1,2,3],"Ints":[4],"Ints":[5,null,7,null]}`}, {composites, `{"Points":[{"x":1,"y":2},{"x":3}],"Points":[{"y":5}]}`},
		{composites, `{"Array":[{"x":1},{"x":2},{"x":3},{"x":4}],"Array":[{"y":1}]}`},
		{composites, `{"Bytes":"AQID\r\n","NamedBytes":[1,2,300]}`},
		{composites, `{"Bytes":"AQI","Ints":[1]}`}, {composites, `{"Octets":"AQID","Meters":[1,2.5, null]}`},
		{composites, `{"Octets":[1,2],"Meters":[3],"Meters":[null,null]}`}, {composites, `{"Bytes":"\u0041QID"}`},
		{composites, "{\"Bytes\":\"AQ\xff\"}"}, {composites, `{"ByteArray":"AQID"}`}, {composites, `{"ByteArray":[1,2]}`},
		{composites, `{"ByInt":{"1":"a","x":"b","2":"c"}}`}, {composites, `{"ByInt8":{"127":true,"128":true}}`},
		{composites, `{"ByUint":{"1":[1],"-1":[2]}}`}, {composites, `{"ByText":{"c<1>":1,"zz":2}}`},
		{composites, `{"ByText":{"c\u003c5>":1}}`}, {composites, `{"ByAddr":{"1.2.3.4":"x","bad":"y"}}`},
		{composites, `{"PtrPtr":5,"PtrPtr":null,"StringPtr":"x","PointPtr":{"x":1},"PointPtr":{"y":2}}`},
		{composites, `{"Floats":[ 1 , 2.5,null ],"Floats":[]}`}, {composites, `{"Floats":[1,"x",2]}`},
		{composites, `{"Matrix":[[1],[2,3]],"Matrix":[[null,9]]}`}, {composites, `{"Cube":[[1,2],[3,4]],"Cube":[[5]]}`},
		{composites, `{"ByName":{"a":{"x":1}},"ByName":{"a":{"y":2}}}`},
		{composites, `{"ByNamePtr":{"a":{"x":1}},"ByNamePtr":{"a":{"y":2},"b":null}}`},
		{composites, `{"Anon":{"X":1,"tags":["a"]},"AnonSlice":[{"k":"a","v":[1]}]}`},
		{dynamic, `{"Any":1,"Anys":[1,[2,{"a":[]}],{}],"Map":{"":null},"Named":{"a":1}}`}, {dynamic, `{"Any":1e999,"Map":{}}`},
		{dynamic, `{"Any":{"a":1e999}}`}, {dynamic, `{"Raw": [ 1 , 2 ] ,"RawPtr":null}`}, {dynamic, `{"Raw":null,"RawPtr": {"a":1}}`},
		{dynamic, `{"Raw":[1,}`}, {dynamic, `{"Iface":null}`}, {dynamic, `{"Iface":1,"Any":2}`},
		{dynamic, `{"Ptr":{"a":1},"Ptr":null}`}, {dynamic, `{"Any":"a\n\u00e9","Any":"é","Map":{"k\n":"v"}}`},
		{methods, `{"Money":{"cents":5},"MoneyPtr":{"Cents":6}}`},
		{methods, `{"Money":null,"MoneyPtr":null,"Upper":null,"UpperPtr":null,"TextSlice":null}`},
		{methods, `{"Money":"x","Upper":"A"}`}, {methods, `{"Upper":1,"UpperPtr":"B","Color":"c<3>"}`},
		{methods, `{"Upper":"bad","UpperPtr":"B"}`}, {methods,
			`{"BigInt":123456789012345678901234567890,"BigFloat":"1.5","BigVal":-5}`}, {methods, `{"BigInt":1.5}`},
		{methods, `{"BigInt":"5"}`}, {methods, `{"BigFloat":1.5}`}, {methods, `{"BigInt":null,"BigFloat":null,"BigVal":null}`},
		{methods, `{"IP":"::1","TextSlice":"a b c","ByPtrMap":{"a":{"N":1}},"ByPtrs":[{"N":2}]}`}, {methods, `{"IP":"nope"}`},
		{methods, `{"Upper":"\u0041"}`},
		{options, `{"q":"1","r":"\"a\"","s":"true","t":"1.5","u":"5","v":"\"x\"","w":"12","x":"7"}`}, {options, `{"q":1}`},
		{options, `{"q":"x"}`}, {options, `{"q":""}`}, {options, `{"q":"null"}`}, {options, `{"q":null,"r":null,"u":null,"v":null}`},
		{options, `{"r":"a"}`}, {options, `{"r":"\"a"}`},
		{options, `{"s":"yes"}`}, {options, `{"s":true}`}, {options, `{"t":"1e999"}`}, {options, `{"t":" 1"}`},
		{options, `{"u":"null"}`}, {options, `{"u":"1","u":null}`}, {options, `{"x":"256"}`}, {options, `{"x":"01"}`},
		{options, `{"w":12}`}, {options, `{"w":"x"}`},
		{options, `{"a<b>&c":1,"-":2,"Skipped":3,"hidden":4,"größe":5,"GRÖSSE":6,"a_key_that_is_longer_than_two_words_of_sixteen_bytes":7}`}, {options, `{"a\u003cb\u003e\u0026c":1}`},
		{embedded, `{"id":1,"Name":"n","Level":2,"Note":"x","Away":3,"Secret":"s","title":"t","Own":4}`},
		{embedded, `{"Locked":1,"Own":2}`}, {embedded, `{"Note":null}`}, {embedded, `{"Away":"x","Own":1}`}, {embedded, `{"Locked":1}`},
		{folded, `{"key":1,"KEY":2,"Key":3,"kEY":4}`}, {folded, "{\"\u212aelvin\":1,\"KELVIN\":2}"}, {folded, `{"STRASSE":1}`},
		{folded, `{"STRASSE":1,"SſTRAẞſE":2,"ſTRASSE":3}`},
		{node, `{"value":1,"next":{"value":2,"next":{"value":3}},"next":{"children":[{"value":4}]},"any":{"x":[1]}}`},
		{node, `{"children":[{"value":1},{"value":2}],"children":[{"next":{}}]}`},
		{kinds[13], `{"a":{"b":null,"c":{}}}`}, {kinds[13], `{"a":1}`}, {kinds[14], `[{"x":1},{"x":2}]`}, {kinds[14], `null`},
		{kinds[14], `{}`}, {kinds[15], `{"Points":{"items":[{"x":1}],"next":{"x":2}},"Names":{"items":["a"]}}`},
		{kinds[16], `5`}, {kinds[16], ` 5 `}, {kinds[16], `5 5`}, {kinds[16], `"5"`}, {kinds[16], ``}, {kinds[17], `"c<5>"`},
		{kinds[17], `5`}, {kinds[18], `{"N":1,"s":"x","S":"y"}`},
	} {
		checkUnmarshal(t, c.kind, []byte(c.doc), []byte(c.doc))
		checkUnmarshal(t, c.kind, []byte(`{}`), []byte(c.doc))
		for i := range c.doc {
			checkUnmarshal(t, c.kind, []byte(c.doc[:i]), []byte(c.doc))
			checkUnmarshal(t, c.kind, []byte(c.doc), []byte(c.doc[:i]))
		}
	}
}

// TestDepth nests to the limit and far beyond.
func TestDepth(t *testing.T) {
	for _, n := range []int{9999, 10000, 10001, 200_000} {
		for _, doc := range []string{
			strings.Repeat(`{"next":`, n) + "null" + strings.Repeat("}", n),
			strings.Repeat(`{"children":[`, n/2) + strings.Repeat("]}", n/2),
			`{"any":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}`,
			`{"unknown":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}`,
			strings.Repeat(`{"next":`, n),
		} {
			got, want := new(jsontypes.Node), new(jsontypes.Node)
			err, wantErr := fxjson.Unmarshal([]byte(doc), got), json.Unmarshal([]byte(doc), want)
			if !sameError(err, wantErr) {
				t.Fatalf("%.20s… %d: have %v, want %v", doc, n, err, wantErr)
			}
		}
	}
}

// TestDeepMarshal nests deeper than the level where cycles are looked for.
func TestDeepMarshal(t *testing.T) {
	n := &jsontypes.Node{}
	for range 5000 {
		n = &jsontypes.Node{Next: n}
	}
	checkMarshal(t, n)
}

// TestCycles expects an error where values never end.
func TestCycles(t *testing.T) {
	next := &jsontypes.Node{}
	next.Next = next
	child := &jsontypes.Node{Children: make([]jsontypes.Node, 1)}
	child.Children[0].Children = child.Children
	named := &jsontypes.Node{Named: map[string]*jsontypes.Node{}}
	named.Named["a"] = named
	dyn := &jsontypes.Node{}
	dyn.Any = dyn
	both := &jsontypes.Node{}
	both.Next, both.Any, both.Named = both, both, map[string]*jsontypes.Node{"a": both, "b": both}
	m := map[string]any{}
	m["m"] = m
	for _, v := range []*jsontypes.Node{next, child, named, dyn, both, {Any: m}} {
		if _, err := fxjson.Marshal(v); err == nil {
			t.Errorf("a cycle was marshaled")
		}
	}
}

// TestPreset decodes into interfaces that hold something already.
func TestPreset(t *testing.T) {
	for _, doc := range []string{`{"Any":{"x":5}}`, `{"Any":null}`, `{"Any":[1]}`, `{"Any":"s"}`, `{"Any":{"x":"no"},"Raw":1}`,
		`{"Iface":"x"}`, `{"Iface":null}`} {
		make := func() *jsontypes.Dynamic {
			return &jsontypes.Dynamic{Any: &jsontypes.Point{X: 1, Y: 2}, Iface: &strings.Builder{}, Raw: json.RawMessage("old raw"),
				Anys: []any{1, 2}}
		}
		got, want := make(), make()
		err, wantErr := fxjson.Unmarshal([]byte(doc), got), json.Unmarshal([]byte(doc), want)
		if (err == nil) != (wantErr == nil) || !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\nhave %s, %v\nwant %s, %v", doc, show(got), err, show(want), wantErr)
		}
	}
}

// TestKept decodes what does not fit into values that hold something.
func TestKept(t *testing.T) {
	for _, doc := range []string{`{"Any":1e400}`, `{"Any":[1e400]}`, `{"Any":{"a":1e400}}`, `{"Any":1e400,"Map":{"a":1e400}}`,
		`{"Any":null}`, `{"Anys":[1e400,2]}`} {
		make := func() *jsontypes.Dynamic {
			return &jsontypes.Dynamic{Any: 1.5, Anys: []any{1.5, "x"}, Map: map[string]any{"a": 1.5}}
		}
		got, want := make(), make()
		err, wantErr := fxjson.Unmarshal([]byte(doc), got), json.Unmarshal([]byte(doc), want)
		if (err == nil) != (wantErr == nil) || !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\nhave %s, %v\nwant %s, %v", doc, show(got), err, show(want), wantErr)
		}
	}
	type number = jsontypes.Scalars // a target that is not zero
	for _, doc := range []string{`{"Number":"NO"}`, `{"Number":"a\u0041"}`, `{"Number":"1\u0032"}`} {
		got, want := &number{Int: 1}, &number{Int: 1}
		err, wantErr := fxjson.Unmarshal([]byte(doc), got), json.Unmarshal([]byte(doc), want)
		if !sameError(err, wantErr) || !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\nhave %s, %v\nwant %s, %v", doc, show(got), err, show(want), wantErr)
		}
	}
}

// TestNullMethods decodes null where something with methods is held.
func TestNullMethods(t *testing.T) {
	full := `{"TextSlice":"a b","Upper":"a","UpperPtr":"b","BigInt":5,"BigFloat":"1.5","BigVal":7,"IP":"::1","Money":{"cents":3},"MoneyPtr":{"cents":4},"ByPtrs":[{"N":1}],"Color":"c<3>"}`
	null := `{"TextSlice":null,"Upper":null,"UpperPtr":null,"BigInt":null,"BigFloat":null,"BigVal":null,"IP":null,"Money":null,"MoneyPtr":null,"ByPtrs":[null],"Color":null}`
	checkUnmarshal(t, kinds[6], []byte(full), []byte(null))
}

// promoting has the methods of what it embeds, which are not its own.
type promoting struct {
	jsontypes.SSEEvent
	More int
}

type promotingNil struct {
	*jsontypes.SSEEvent
	More int
}

// TestPromotedMethods makes sure that nobody takes an embedded type's code for
// that of the whole.
func TestPromotedMethods(t *testing.T) {
	for _, v := range []any{promoting{More: 1}, &promoting{More: 2}, promotingNil{More: 3}, &promotingNil{More: 4}} {
		got, err := fxjson.Marshal(v)
		want, wantErr := json.Marshal(v)
		if err != nil || wantErr != nil || !bytes.Equal(got, want) {
			t.Errorf("%T: have %s, %v, want %s", v, got, err, want)
		}
	}
	var got promoting
	if err := fxjson.Unmarshal([]byte(`{"id":"a","More":5}`), &got); err != nil || got.More != 5 || got.ID != "a" {
		t.Errorf("have %+v, %v", got, err)
	}
}

// TestOthers uses targets and values without generated code.
func TestOthers(t *testing.T) {
	for _, v := range []any{nil, 1, "a", []int{1}, map[string]any{"a": jsontypes.Point{X: 1}}, (*jsontypes.Session)(nil), make(chan int)} {
		got, err := fxjson.Marshal(v)
		want, wantErr := json.Marshal(v)
		if !sameError(err, wantErr) || !bytes.Equal(got, want) {
			t.Errorf("%v: have %s, %v, want %s, %v", v, got, err, want, wantErr)
		}
	}
	for _, v := range []any{nil, jsontypes.Session{}, (*jsontypes.Session)(nil), new(int)} {
		if err, wantErr := fxjson.Unmarshal([]byte(`{}`), v), json.Unmarshal([]byte(`{}`), v); !sameError(err, wantErr) {
			t.Errorf("%T: have %v, want %v", v, err, wantErr)
		}
	}
}

// TestFixedDecimals is the one option that encoding/json does not have.
func TestFixedDecimals(t *testing.T) {
	f := float32(2.5)
	got, err := fxjson.Marshal(&jsontypes.Prices{One: 1.005, Many: []float64{1, 0.12349}, Ptr: &f})
	if want := `{"one":1.00,"many":[1.000,0.123],"ptr":2}`; err != nil || string(got) != want {
		t.Errorf("have %s, %v, want %s", got, err, want)
	}
}

// TestGrammarInside puts good and bad values where they are skipped, kept raw,
// and decoded dynamically.
func TestGrammarInside(t *testing.T) {
	docs := append([]string{
		"", "nul", "nulll", "tru", "+1", "01", "-", "1.", ".5", "1e", "1e+", "0x1", "1 2", "'a'", `"`, `"a`, `"\x"`, `"\u12g4"`,
		"\"\x00\"", "\"\n\"", "\"\xff\"", `"\ud800"`,
		"[", "]", "[1,]", "[,1]", "[1 2]", "[1}", "{", "}", `{"a"}`, `{"a":}`, `{"a":1,}`, `{a:1}`, `{"a":1 "b":2}`, `{"a"::1}`, "//",
		"NaN", "\ufeff1", "\x00", "1\x00",
	}, values...)
	dynamic := kinds[5]
	for _, doc := range docs {
		for _, key := range []string{"unknown", "Raw", "Any", "Map", "Iface", "RawPtr", "Ptr"} {
			for _, form := range []string{`{"%s":%s}`, `{ "%s" : %s , "Any" : 1 }`, `{"%s":[%s]}`, `{"%s":{"k":%s}}`} {
				d := fmt.Appendf(nil, form, key, doc)
				checkUnmarshal(t, dynamic, d, d)
			}
		}
	}
}

// TestLargeDocument is about documents whose strings do not share one copy.
func TestLargeDocument(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 20 {
		v := new(jsontypes.Composites)
		for size := 0; size < 70<<10; {
			s := text(r) + strings.Repeat("x", r.IntN(2000))
			v.Strings = append(v.Strings, s)
			size += len(s)
		}
		v.ByTitle = map[jsontypes.Title]string{"é": "\n", "k": "v"}
		doc, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		doc = bytes.Replace(doc, []byte("xxx"), []byte("\xff\\n"), r.IntN(3))
		checkUnmarshal(t, kinds[4], doc, doc)
		checkUnmarshal(t, kinds[4], mutate(r, doc), mutate(r, doc))
	}
}

// TestAllocations holds the promises about memory.
func TestAllocations(t *testing.T) {
	if race {
		t.Skip("pools drop values then")
	}
	v := &benchSession
	buf := make([]byte, 0, 4096)
	for _, c := range []struct {
		name string
		max  float64
		do   func()
	}{
		{"AppendJSON", 0, func() { v.AppendJSON(buf) }},
		{"Append", 0, func() { fxjson.Append(buf, v) }},
		{"Marshal", 1, func() { fxjson.Marshal(v) }},
	} {
		if n := testing.AllocsPerRun(200, c.do); n > c.max {
			t.Errorf("%s allocates %v times, want %v at most", c.name, n, c.max)
		}
	}
}

// TestLinear decodes a megabyte that would take hours if each string cost a look
// at the whole rest of the document.
func TestLinear(t *testing.T) {
	for _, last := range []string{"", "\xff", `\n`} {
		doc := []byte(`{"Strings":["` + strings.Repeat(`é","\u00e9","`, 80_000) + last + `"]}`)
		got, want := new(jsontypes.Composites), new(jsontypes.Composites)
		if err := fxjson.Unmarshal(doc, got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(doc, want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("documents that end in %q differ", last)
		}
	}
}
