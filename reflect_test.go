package zmy_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmycase"
)

// Types without the methods of the generated ones that they are made from. The
// differential tests over all kinds of fields are in gen/emit/gobin.
type (
	plainOrder  zmycase.Order
	plainSSE    zmycase.SSE
	plainResult zmycase.Result
	plainCase   zmycase.Case
	plainNode   zmycase.Node
)

// page is generic.
type page[T any] struct {
	Items []T `zmy:"0"`
	Next  int `zmy:"1"`
}

// plain is generic, and has no numbers.
type plain[T any] struct{ A T }

// union is an interface whose arms reflection does not see.
type union interface{ isUnion() }

type (
	bad1     struct{ B bad2 } // untagged
	bad2     struct{ Done chan bool }
	lists    []lists
	half     int
	hooked   int
	opaque   struct{ x int }
	ownThing struct{ A int }
	ring     struct {
		Next *ring `zmy:"0"`
	}
	withUnion struct {
		Items []struct {
			U union `zmy:"0"`
		} `zmy:"0"`
	}
)

func (half) AppendZMY(b []byte) ([]byte, error)     { return b, nil }
func (*hooked) AfterUnmarshalZMY() error            { return nil }
func (ownThing) AppendZMY(b []byte) ([]byte, error) { return b, nil }
func (*ownThing) UnmarshalZMY([]byte) error         { return nil }

func TestReflectRefusals(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
		is   error
	}{
		{nil, "a message is a struct, not nil", zmy.ErrType},
		{5, "a message is a struct, not int; wrap it in a struct with one field", zmy.ErrType},
		{new(*plainOrder), "a message is a struct, not **zmy_test.plainOrder; wrap it in a struct with one field", zmy.ErrType},
		{plain[bad1]{}, `field A: no struct tag zmy; number it, as in zmy:"0", or use struct tag zmy:"-" to leave it out; or ` +
			`generate code with zmy gen -derive, which numbers a struct without tags; code of a generic type's instance is in ` +
			`functions, here AppendZMYPlainBad1 and UnmarshalZMYPlainBad1: call those`, zmy.ErrNoGeneratedCode},
		{bad1{}, `field B: no struct tag zmy; number it, as in zmy:"0", or use struct tag zmy:"-" to leave it out; or generate code ` +
			`with zmy gen -derive, which numbers a struct without tags`, zmy.ErrNoGeneratedCode},
		{struct {
			A int `zmy:"0"`
			B int
		}{}, `field B: no struct tag zmy; number it, as in zmy:"1", or use struct tag zmy:"-" to leave it out`, zmy.ErrType},
		{struct {
			A []map[string]struct {
				Done chan bool `zmy:"0"`
			} `zmy:"0"`
		}{}, `field A.Done: chan bool has no wire type; use struct tag zmy:"-" to leave it out`, zmy.ErrType},
		{withUnion{}, `field Items.U: interface zmy_test.union needs generated code: reflection does not see the arms of a union; ` +
			`generate code for the type around it with zmy gen, which reads the directive //zmy:union at the interface, or use struct ` +
			`tag zmy:"-" to leave it out`, zmy.ErrNoGeneratedCode},
		{struct {
			A int `zmy:"0"`
			B int `zmy:"2"`
		}{}, "field B: number 2 stands where 1 is next; number fields from 0 without gaps; a comment //zmy:reserved 1 is out of " +
			"sight of reflection: write a blank field _ struct{} `zmy:\"reserved 1 string\"`", zmy.ErrType},
		{struct {
			A int `zmy:"0"`
			B int `zmy:"0"`
		}{}, "field B: number 0 is also that of field A; give each field a number of its own", zmy.ErrType},
		{struct {
			_ struct{} `zmy:"reserved 0 int8"`
			B int      `zmy:"0"`
		}{}, "field B: number 0 is also that of a reserved one; give each field a number of its own", zmy.ErrType},
		{struct {
			A int `zmy:"first"`
		}{}, `field A: bad field number "first" in struct tag zmy; numbers start at 0: zmy:"0"`, zmy.ErrType},
		{struct {
			A int `zmy:"0,big"`
		}{}, `field A: struct tag zmy has no option "big"; options are deprecated, inline, nilable, unixnano and zone`, zmy.ErrType},
		{struct {
			A int `zmy:"0,zone"`
		}{}, "field A: options zone and unixnano are for times, not for int; remove it", zmy.ErrType},
		{struct {
			A int `zmy:"0,nilable"`
		}{}, "field A: option nilable is for slices and maps, not for int; remove it", zmy.ErrType},
		{struct {
			A plainOrder `zmy:"0,inline"`
		}{}, "field A: zmy_test.plainOrder cannot stand inline: it has fields of variable size; remove option inline", zmy.ErrType},
		{struct {
			A *any `zmy:"0"`
		}{}, `field A: *interface {} has no wire type; drop the pointer: what it points to can be nil itself, or use struct tag ` +
			`zmy:"-" to leave it out`, zmy.ErrType},
		{struct {
			A map[float64]int `zmy:"0"`
		}{}, `field A: map key float64 has no wire type; use a string, integer, bool or byte array, or use struct tag zmy:"-" to ` +
			`leave it out`, zmy.ErrType},
		{struct {
			A []struct{} `zmy:"0"`
		}{}, `field A: struct {} has no wire type; a list of empty structs is only a number: use an integer, or use struct tag ` +
			`zmy:"-" to leave it out`, zmy.ErrType},
		{struct {
			A big.Rat `zmy:"0"`
		}{}, `field A: big.Rat has no wire type; carry numerator and denominator as *big.Int, or use struct tag zmy:"-" to leave it ` +
			`out`, zmy.ErrType},
		{struct {
			A lists `zmy:"0"`
		}{}, "zmy_test.lists: type contains itself without a struct between: its depth has no limit; put a struct between", zmy.ErrType},
		{struct {
			A half `zmy:"0"`
		}{}, "field A: zmy_test.half: has AppendZMY, but not UnmarshalZMY; declare it on the pointer too, UnmarshalZMY([]byte) " +
			"error, or remove the other", zmy.ErrType},
		{struct {
			A hooked `zmy:"0"`
		}{}, "field A: zmy_test.hooked: AfterUnmarshalZMY is called for structs only; check it in the struct around it", zmy.ErrType},
		{struct {
			A opaque `zmy:"0"`
		}{}, `field A: zmy_test.opaque has no wire type: it has no exported fields; wrap it in a type of your own with MarshalText ` +
			`and UnmarshalText, or MarshalBinary and UnmarshalBinary, or use struct tag zmy:"-" to leave it out`, zmy.ErrType},
		{page[zmycase.Thin]{}, "generated code of zmycase.Thin has another form than reflection sees, by a directive //zmy:sparse " +
			"or //zmy:reserved in a comment; write it as the struct tag of a blank field, or generate code for the type around it; " +
			"code of a generic type's instance is in functions, here AppendZMYPageThin and UnmarshalZMYPageThin: call those",
			zmy.ErrNoGeneratedCode},
		{page[zmycase.Forms]{}, "generated code of zmycase.Forms has another form than reflection sees, by a directive //zmy:sparse " +
			"or //zmy:reserved in a comment; write it as the struct tag of a blank field, or generate code for the type around it; " +
			"code of a generic type's instance is in functions, here AppendZMYPageForms and UnmarshalZMYPageForms: call those",
			zmy.ErrNoGeneratedCode},
		{ownThing{}, "has AppendZMY and UnmarshalZMY of its own; call them, or put it into a struct", zmy.ErrType},
		{struct {
			_ string `zmy:"4,reserved"`
			A int    `zmy:"0"`
		}{}, "field _: a directive stands at a blank field of type struct{}, not string; write _ struct{}", zmy.ErrType},
		{struct {
			_ struct{} `zmy:"spares"`
			A int      `zmy:"0"`
		}{}, "field _: unknown directive //zmy:spares; remove it; there are //zmy:limits, //zmy:lint-ignore, //zmy:reserved, " +
			"//zmy:sentinel, //zmy:sparse, //zmy:union", zmy.ErrType},
		{struct {
			_ struct{} `zmy:"reserved 0 in64"`
			A int      `zmy:"1"`
		}{}, "field _: directive //zmy:reserved has no type \"in64\"; write string, int64, time.Time, time.Duration, [16]byte … or " +
			"[]T, map[K]V, *T, struct, any", zmy.ErrType},
	} {
		_, err := zmy.Marshal(c.v)
		if want := fmt.Sprintf("zmy: marshal %T: %s", c.v, c.want); err == nil || err.Error() != want || !errors.Is(err, c.is) {
			t.Errorf("\n got %v\nwant %s", err, want)
		}
		if c.v == nil {
			continue
		}
		p := reflect.New(reflect.TypeOf(c.v)).Interface()
		if err := zmy.Unmarshal(nil, p); err == nil || !errors.Is(err, zmy.ErrType) && !errors.Is(err, zmy.ErrNoGeneratedCode) {
			t.Errorf("unmarshal %T: %v", p, err)
		}
	}
}

// The vectors' values give the vectors' bytes through reflection too.
func TestReflectVectors(t *testing.T) {
	shadow := func(v any) any {
		switch v := v.(type) {
		case *zmycase.Order:
			return (*plainOrder)(v)
		case *zmycase.SSE:
			return (*plainSSE)(v)
		case *zmycase.Result:
			return (*plainResult)(v)
		case *zmycase.Case:
			return (*plainCase)(v)
		case *zmycase.Node:
			return (*plainNode)(v)
		}
		return nil
	}
	seen := 0
	for _, c := range positives {
		v := shadow(c.value)
		if v == nil {
			continue
		}
		seen++
		want := unhex(c.hex)
		for _, v := range []any{v, reflect.ValueOf(v).Elem().Interface()} {
			if got, err := zmy.Marshal(v); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %v\n got %x\nwant %x", c.name, err, got, want)
			}
		}
		back := reflect.New(reflect.TypeOf(v).Elem()).Interface()
		if err := zmy.Unmarshal(want, back); err != nil || !reflect.DeepEqual(back, v) {
			t.Errorf("%s: %v, %+v", c.name, err, back)
		}
	}
	if seen < 4 {
		t.Errorf("only %d vectors have a type without code", seen)
	}
}

// A struct that embeds a generated one has its methods, which know nothing of
// the fields around.
func TestReflectPromoted(t *testing.T) {
	type stamp struct {
		zmycase.Order `zmy:"0"`
		By            string `zmy:"1"`
	}
	in := stamp{sampleOrder(), "me"}
	if _, ok := any(&in).(zmy.Marshaler); !ok {
		t.Fatal("nothing is promoted")
	}
	var out stamp
	b, err := zmy.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := zmy.Unmarshal(b, &out); err != nil || !reflect.DeepEqual(in, out) {
		t.Errorf("%v, %+v", err, out)
	}
}

// label has methods of its own where an embedded field has them too.
type label struct {
	time.Time
	text string
}

func (l label) MarshalText() ([]byte, error)        { return []byte(l.text), nil }
func (l *label) UnmarshalText(b []byte) error       { l.text = string(b); return nil }
func (l label) MarshalBinary() ([]byte, error)      { return []byte("b" + l.text), nil }
func (l *label) UnmarshalBinary(b []byte) error     { l.text = string(b[1:]); return nil }
func (l label) AppendBinary([]byte) ([]byte, error) { return nil, errors.New("not this one") }

// halfway has only promoted ones.
type halfway struct{ label }

func TestReflectOwnMethods(t *testing.T) {
	type box struct {
		L label `zmy:"0"`
	}
	if _, err := zmy.Marshal(box{label{text: "x"}}); !errors.Is(err, zmy.ErrMethod) {
		t.Errorf("AppendBinary was not called: %v", err)
	}
	if _, err := zmy.Marshal(struct {
		H halfway `zmy:"0"`
	}{}); !errors.Is(err, zmy.ErrNoGeneratedCode) {
		t.Errorf("promoted methods count: %v", err)
	}
}

// maybe is a string that may be absent, which its text does not tell from an empty one.
type maybe struct {
	S     string
	Valid bool
}

func (m maybe) MarshalText() ([]byte, error) { return []byte(m.S), nil }

func (m *maybe) UnmarshalText(b []byte) error {
	*m = maybe{string(b), len(b) > 0}
	return nil
}

func (m maybe) MarshalJSON() ([]byte, error) {
	if !m.Valid {
		return []byte("null"), nil
	}
	return json.Marshal(m.S)
}

func (m *maybe) UnmarshalJSON(b []byte) error {
	m.Valid = string(b) != "null"
	return json.Unmarshal(b, &m.S)
}

// TestTextIsLess: a struct with text and JSON methods is carried as JSON, by which every value of it
// comes back.
func TestTextIsLess(t *testing.T) {
	type message struct {
		A maybe   `zmy:"0"`
		B []maybe `zmy:"1"`
		C *maybe  `zmy:"2"`
	}
	want := message{maybe{Valid: true}, []maybe{{}, {"x", true}, {Valid: true}}, &maybe{Valid: true}}
	b, err := zmy.Marshal(&want)
	if err != nil {
		t.Fatal(err)
	}
	var got message
	if err := zmy.Unmarshal(b, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}

// Directives that stand at blank fields are part of the type.
func TestReflectDirectives(t *testing.T) {
	type thin struct {
		_    struct{} `zmy:"sparse"`
		A    int16    `zmy:"0"`
		B    string   `zmy:"1"`
		C    bool     `zmy:"2"`
		Kids []thin   `zmy:"3"`
		x    zmy.Unknown
	}
	v := thin{B: "b", C: true}
	if b, err := zmy.Marshal(v); err != nil || fmt.Sprintf("%x", b) != "014000100106010a0062" {
		t.Errorf("sparse: %x, %v", b, err)
	}
	type forms struct {
		_    struct{}       `zmy:"reserved 3 uint16"`
		_    struct{}       `zmy:"reserved 4 string"`
		Zone time.Time      `zmy:"0,zone"`
		Nano time.Time      `zmy:"1,unixnano"`
		At   zmycase.Point2 `zmy:"2,inline"`
	}
	f := zmycase.Forms{Zone: time.Unix(0, 0).In(time.FixedZone("", 3600)), Nano: time.Unix(1, 0), At: zmycase.Point2{X: 1}}
	want, err := zmy.Marshal(&f)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := zmy.Marshal(forms{Zone: f.Zone, Nano: f.Nano, At: f.At}); err != nil || !bytes.Equal(got, want) {
		t.Errorf("reserved: %v\n%x\n%x", err, got, want)
	}
}

func TestReflectGeneric(t *testing.T) {
	in := page[zmycase.Order]{Items: []zmycase.Order{sampleOrder()}, Next: 3}
	b, err := zmy.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out page[zmycase.Order]
	if err := zmy.Unmarshal(b, &out); err != nil || !reflect.DeepEqual(in, out) {
		t.Errorf("%v, %+v", err, out)
	}
	in.Items[0].ID = "\xff"
	if _, err := zmy.Marshal(in); err == nil || !strings.HasPrefix(err.Error(),
		"zmy: marshal page[zmycase.Order].Items[0].ID: invalid UTF-8") {
		t.Error(err)
	}
	if err := zmy.Unmarshal(b[:9], &out); err == nil || !strings.HasPrefix(err.Error(), "zmy: unmarshal page[zmycase.Order]: ") {
		t.Error(err)
	}
}

// Messages go the same ways as those of generated code.
func TestReflectEnvelopes(t *testing.T) {
	in := plainOrder(sampleOrder())
	var out plainOrder
	b, err := squeezed.Seal(in)
	if err == nil {
		err = unsqueezed.Unseal(b, &out)
	}
	if err != nil || !reflect.DeepEqual(in, out) {
		t.Errorf("seal: %v, %+v", err, out)
	}
	var stream bytes.Buffer
	w := zmy.NewWriter(&stream)
	for range 3 {
		if err := w.Marshal(&in); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := zmy.NewReader(&stream)
	for i := range 3 {
		out = plainOrder{}
		if err := r.Unmarshal(&out); err != nil || !reflect.DeepEqual(in, out) {
			t.Errorf("record %d: %v", i, err)
		}
	}
	if err := r.Unmarshal(&out); err != io.EOF {
		t.Error(err)
	}
}

func TestReflectDepth(t *testing.T) {
	r := &ring{}
	r.Next = r
	if _, err := zmy.Marshal(r); !errors.Is(err, zmy.ErrDepth) {
		t.Error("a ring:", err)
	}
	chain := (*plainNode)(chainOf(64))
	b, err := zmy.Marshal(chain)
	if err != nil {
		t.Fatal(err)
	}
	if err := (zmy.UnmarshalOptions{MaxDepth: 63}).Unmarshal(b, new(plainNode)); !errors.Is(err, zmy.ErrDepth) {
		t.Error("64 levels where 63 are allowed:", err)
	}
}

func TestReflectAllocations(t *testing.T) {
	order, result := plainOrder(sampleOrder()), plainResult(sampleResult())
	b, err := zmy.Marshal(&order)
	if err != nil {
		t.Fatal(err)
	}
	rb, _ := zmy.Marshal(&result)
	grid := struct {
		Cells map[int32]zmycase.Point2 `zmy:"0"`
		Flags []bool                   `zmy:"1"`
	}{map[int32]zmycase.Point2{3: {X: 1}, -1: {Y: 1}, 7: {}}, []bool{true}}
	gb, _ := zmy.Marshal(&grid)
	buf := make([]byte, 0, 16<<10)
	reuse := zmy.UnmarshalOptions{Reuse: true}
	for _, c := range []struct {
		name string
		max  float64
		f    func() error
	}{
		{"append", 0, func() (err error) { buf, err = zmy.Append(buf[:0], &order); return err }},
		{"append map", 0, func() (err error) { buf, err = zmy.Append(buf[:0], &grid); return err }},
		{"marshal", 1, func() error { _, err := zmy.Marshal(&order); return err }},
		{"unmarshal", reflectAllocs, func() error { var v plainOrder; return zmy.Unmarshal(b, &v) }},
		{"reuse", 0, func() error { return reuse.Unmarshal(rb, &result) }},
		{"reuse map", 0, func() error { return reuse.Unmarshal(gb, &grid) }},
	} {
		if err := c.f(); err != nil {
			t.Fatal(c.name, err)
		}
		if got := testing.AllocsPerRun(100, func() { _ = c.f() }); got > c.max {
			t.Errorf("%s: %v allocations, want at most %v", c.name, got, c.max)
		}
	}
}

// Goroutines that meet a type at once all get a plan.
func TestReflectTogether(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			for n := range 20 {
				v := reflect.New(reflect.ArrayOf(n+1, reflect.TypeFor[int32]()))
				typ := reflect.StructOf([]reflect.StructField{{Name: "A", Type: v.Elem().Type(), Tag: `zmy:"0"`}})
				s := reflect.New(typ)
				s.Elem().Field(0).Index(n).SetInt(int64(i))
				b, err := zmy.Marshal(s.Interface())
				if err != nil {
					t.Error(err)
					return
				}
				back := reflect.New(typ)
				if err := zmy.Unmarshal(b, back.Interface()); err != nil || !reflect.DeepEqual(s.Interface(), back.Interface()) {
					t.Error(err, back)
				}
			}
		})
	}
	wg.Wait()
}
