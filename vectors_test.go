package zmy_test

import (
	"encoding/hex"
	"errors"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmycase"
	"github.com/zmylab/zmy/wire"
)

// message is a type with generated code.
type message interface {
	zmy.Marshaler
	zmy.Unmarshaler
}

// unhex reads hex with spaces and line breaks.
func unhex(s string) []byte {
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		panic(err)
	}
	return b
}

func ptr[T any](v T) *T { return &v }

// verify is what opens a view, as a verifier only.
func verify[V any](view func([]byte) (V, error)) func([]byte) error {
	return func(b []byte) error { _, err := view(b); return err }
}

// positives are values and their one encoding, worked out by hand from
// spec/FORMAT.md.
var positives = []struct {
	name  string
	value message
	view  func([]byte) error
	hex   string
}{
	{"order", &zmycase.Order{
		ID: "A1", Items: []zmycase.Item{{Sku: "x", Price: 1.5, Qty: 2}},
		Metadata: map[string]string{"k": "v"}, Timestamp: time.Unix(0, 0).UTC(),
	}, verify(zmycase.ViewOrder), `0cc00000 00f791770e000000 00000000 1800 3100 3d00 4131
		0c800000 0800 1900 000000000000f83f 02000000 1100 1100 78
		0700 0400 0500 6b 0400 0500 76`},
	{"order/zero", &zmycase.Order{}, verify(zmycase.ViewOrder), `0cc00000 0000000000000000 00000000 1600 1600 1600`},
	{"result", &zmycase.Result{ID: 1, Data: []float64{1, -2}, Timestamp: -1}, verify(zmycase.ViewResult),
		`10400000 0100000000000000 ffffffffffffffff 2600 000000000000f03f 00000000000000c0`},
	{"sse", &zmycase.SSE{ID: "7", Data: "é", Replay: true}, verify(zmycase.ViewSSE),
		`01000100 01 0e00 0e00 1000 1000 37 c3a9`},
	{"points", &zmycase.Point2List{Points: []zmycase.Point2{{X: 1, Y: 2}, {X: 3, Y: 4}}}, verify(zmycase.ViewPoint2List),
		`00400000 1a00 08000000 01000000 02000000 03000000 04000000`},
	{"points/v2", &zmycase.Point3List{Points: []zmycase.Point3{{X: 1, Y: 2, Name: "n"}}}, verify(zmycase.ViewPoint3List),
		`00400000 1900 08400000 0800 1300 01000000 02000000 0b00 6e`},
	{"forms/zero", &zmycase.Forms{}, verify(zmycase.ViewForms),
		`22400000 00000000000000000000000000000000 0000000000000000 0000000000000000 0000 2800`},
	{"forms", &zmycase.Forms{Zone: time.Unix(0, 0).In(time.FixedZone("", -3600)), Nano: time.Unix(1, 5).UTC(),
		At: zmycase.Point2{X: 1, Y: -1}}, verify(zmycase.ViewForms),
		`22400000 00f791770e00000000000000f0f1ffff 05ca9a3b00000000 01000000ffffffff 0000 2800`},
	{"forms/1970", &zmycase.Forms{Nano: time.Unix(0, 0).UTC()}, verify(zmycase.ViewForms),
		`22400000 00000000000000000000000000000000 0000000000000080 0000000000000000 0000 2800`},
	{"union", &zmycase.Drawing{Shapes: []zmycase.Shape{zmycase.Circle{R: 1}, nil, zmycase.Line{}}}, verify(zmycase.ViewDrawing),
		`00400000 1a00 0800 1200 1200 1400 0100 04000000 01000000 0200`},
	{"union/unknown", &zmycase.Drawing{Shapes: []zmycase.Shape{zmycase.ShapeUnknown{Disc: 3, Raw: []byte{0xff}}}}, verify(zmycase.ViewDrawing),
		`00400000 0d00 0400 0700 0300 ff`},
	{"sparse/zero", &zmycase.Thin{}, verify(zmycase.ViewThin), `00000010 00`},
	{"sparse", &zmycase.Thin{A: -1, C: true}, verify(zmycase.ViewThin), `03000010 01 05 ffff 01`},
	{"sparse/text", &zmycase.Thin{B: "b", C: true}, verify(zmycase.ViewThin), `01400010 01 06 01 0a00 62`},
	{"sparse/list", &zmycase.Thin{Kids: []zmycase.Thin{{}, {C: true}}}, verify(zmycase.ViewThin),
		`00400010 01 08 1500 0600 0600 0d00 01000010 01 04 01`},
	{"node", &zmycase.Node{Next: &zmycase.Node{}, Any: []any{nil, -129, true}}, verify(zmycase.ViewNode),
		`04c00000 00000000 1c00 1c00 2900
		 04c00000 00000000 0e00 0e00 0e00
		 0c 0800 0800 0b00 0c00 04 7fff 02`},
}

func TestVectors(t *testing.T) {
	for _, c := range positives {
		t.Run(c.name, func(t *testing.T) {
			want := unhex(c.hex)
			got, err := zmy.Marshal(c.value)
			if err != nil || hex.EncodeToString(got) != hex.EncodeToString(want) {
				t.Fatalf("marshal: %v\n got %x\nwant %x", err, got, want)
			}
			back := reflect.New(reflect.TypeOf(c.value).Elem())
			if err := zmy.Unmarshal(want, back.Interface()); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(back.Interface(), c.value) {
				t.Errorf("came back as %+v", back.Elem())
			}
			hostile(t, want, c.value, c.view)
		})
	}
}

// hostile holds that unmarshal and the verifier give every truncation and every
// flipped bit of a message the same verdict, and that none shortened or
// lengthened is accepted.
func hostile(t *testing.T, b []byte, v message, view func([]byte) error) {
	t.Helper()
	verdict := func(b []byte) error {
		t.Helper()
		var c, vc wire.Code
		err := zmy.Unmarshal(b, reflect.New(reflect.TypeOf(v).Elem()).Interface())
		errors.As(err, &c)
		errors.As(view(b), &vc)
		if c != vc {
			t.Errorf("%x: unmarshal says %s, verify %s", b, c.Name(), vc.Name())
		}
		return err
	}
	for n := range b {
		if verdict(b[:n:n]) == nil {
			t.Errorf("the first %d bytes were accepted", n)
		}
		for bit := range 8 {
			flipped := append([]byte(nil), b...)
			flipped[n] ^= 1 << bit
			_ = verdict(flipped)
		}
	}
	if verdict(append(b[:len(b):len(b)], 0)) == nil {
		t.Error("a byte too many was accepted")
	}
}

func TestBadUnions(t *testing.T) {
	for _, c := range []struct {
		name, arm string
		err       error
	}{
		{"one byte", "01", zmy.ErrTruncated},
		{"no number", "0000", zmy.ErrDomain},
		{"zero spelled", "0100 04000000 00000000", zmy.ErrZero},
		{"half a header", "0100 0400", zmy.ErrTruncated},
		{"text", "0200 00400000 0700 ff", zmy.ErrUTF8},
	} {
		arm := unhex(c.arm)
		b := append(unhex("00400000 0000 0400 0000"), arm...)
		b[4], b[8] = byte(len(b)), byte(len(b)-6)
		err := zmy.Unmarshal(b, new(zmycase.Drawing))
		_, verr := zmycase.ViewDrawing(b)
		if !errors.Is(err, c.err) || !errors.Is(verr, c.err) {
			t.Errorf("%s: unmarshal: %v; verify: %v; want %v", c.name, err, verr, c.err)
		}
	}
}

var sparseCases = []struct {
	name, hex string
	err       error
}{
	{"unknown scalar", "02000010 01 14 01 07", nil},
	{"end too short", "00400010 02 0001 0a00 ffff", zmy.ErrEnds},
	{"unknown tail", "00400010 02 0001 0b00 ffff", nil},
	{"dense", "03000000 000001", zmy.ErrReserved},
	{"no bitmap", "00000010", zmy.ErrTruncated},
	{"short bitmap", "00000010 02 01", zmy.ErrTruncated},
	{"bitmap too long", "03000010 02 0500 ffff 01", zmy.ErrSparse},
	{"scalar missing", "02000010 01 05 ffff", zmy.ErrSparse},
	{"scalar too many", "03000010 01 01 ffff 01", zmy.ErrSparse},
	{"unknown without bytes", "01000010 01 14 01", zmy.ErrSparse},
	{"tail missing", "00000010 01 02", zmy.ErrSparse},
	{"zero scalar", "02000010 01 01 0000", zmy.ErrZero},
	{"empty tail", "00400010 01 02 0800", zmy.ErrZero},
	{"bool 2", "01000010 01 04 02", zmy.ErrDomain},
}

func TestSparse(t *testing.T) {
	for _, c := range sparseCases {
		t.Run(c.name, func(t *testing.T) {
			b := unhex(c.hex)
			var v zmycase.Thin
			err := zmy.Unmarshal(b, &v)
			_, verr := zmycase.ViewThin(b)
			if !errors.Is(err, c.err) || !errors.Is(verr, c.err) {
				t.Fatalf("unmarshal: %v; verify: %v; want %v", err, verr, c.err)
			}
			if c.err != nil {
				return
			}
			if again, err := zmy.Marshal(&v); err != nil || string(again) != string(b) {
				t.Errorf("written again: %x, %v", again, err)
			}
			hostile(t, b, &v, verify(zmycase.ViewThin))
		})
	}
}

// caseWith makes the message of a Case with one tail, from hex; the rest is zero.
func caseWith(field int, tail string) []byte {
	const scalars, tails = 13, 17
	b := append(unhex("0d400400"), make([]byte, scalars+2*tails)...)
	content := unhex(tail)
	for i := range tails {
		end := len(b)
		if i >= field {
			end += len(content)
		}
		b[4+scalars+2*i], b[5+scalars+2*i] = byte(end), byte(end>>8)
	}
	return append(b, content...)
}

// Tails of zmycase.Case, in order.
const (
	tText = iota
	tAny
	tInts
	tTexts
	tIndex
	tCodes
	tFlags
	tSet
	tInner
	tPtr
	tNum
	tOpt
	tList
	tBig
	tReal
	tPair
	tSpots
)

// tailCases are contents of one tail of a Case: the value they mean, or the
// error that refuses them.
var tailCases = []struct {
	name string
	tail int
	hex  string
	want zmycase.Case
	err  error
}{
	{"text", tText, "c3a9", zmycase.Case{Text: "é"}, nil},
	{"text/bad", tText, "c3", zmycase.Case{}, zmy.ErrUTF8},
	{"text/surrogate", tText, "eda080", zmycase.Case{}, zmy.ErrUTF8},
	{"ints", tInts, "0100ffff", zmycase.Case{Ints: []int16{1, -1}}, nil},
	{"ints/odd", tInts, "010000", zmycase.Case{}, zmy.ErrLength},
	{"texts", tTexts, "0600 0700 0700 61", zmycase.Case{Texts: []string{"a", ""}}, nil},
	{"texts/empty list", tTexts, "0200", zmycase.Case{}, zmy.ErrTruncated},
	{"texts/split rune", tTexts, "0600 0700 0800 c3a9", zmycase.Case{}, zmy.ErrUTF8},
	{"texts/back", tTexts, "0600 0800 0700 61", zmycase.Case{}, zmy.ErrEnds},
	{"texts/odd count", tTexts, "0500 0600 61 61", zmycase.Case{}, zmy.ErrCount},
	{"index", tIndex, "0700 0400 0500 61 08000000 01000000 00000000", zmycase.Case{Index: map[string]zmycase.Point2{"a": {X: 1}}}, nil},
	{"index/counts", tIndex, "0700 0400 0500 61 08000000 0100000000000000 0100000000000000", zmycase.Case{}, zmy.ErrCount},
	{"index/stride 0", tIndex, "0700 0400 0500 61 00000000", zmycase.Case{}, zmy.ErrMixed},
	{"codes", tCodes, "0400 ff00 0600 0700 0800 6162", zmycase.Case{Codes: map[int8]string{-1: "a", 0: "b"}}, nil},
	{"codes/unsigned order", tCodes, "0400 00ff 0600 0700 0800 6162", zmycase.Case{}, zmy.ErrKeyOrder},
	{"codes/twice", tCodes, "0400 0101 0600 0700 0800 6162", zmycase.Case{}, zmy.ErrKeyOrder},
	{"flags", tFlags, "0400 0001 0100", zmycase.Case{Flags: map[bool]bool{false: true, true: false}}, nil},
	{"flags/2", tFlags, "0400 0002 0100", zmycase.Case{}, zmy.ErrDomain},
	{"set", tSet, "0a00 0600 0700 0800 6162", zmycase.Case{Set: map[string]struct{}{"a": {}, "b": {}}}, nil},
	{"set/order", tSet, "0a00 0600 0700 0800 6261", zmycase.Case{}, zmy.ErrKeyOrder},
	{"set/a before é", tSet, "0b00 0600 0700 0900 61c3a9", zmycase.Case{Set: map[string]struct{}{"a": {}, "é": {}}}, nil},
	{"set/values", tSet, "0700 0400 0500 61 00", zmycase.Case{}, zmy.ErrEnds},
	{"inner", tInner, "08000000 0100000000000000", zmycase.Case{Inner: zmycase.Point2{X: 1}}, nil},
	{"inner/zero", tInner, "08000000 0000000000000000", zmycase.Case{}, zmy.ErrZero},
	{"inner/older", tInner, "04000000 01000000", zmycase.Case{Inner: zmycase.Point2{X: 1}}, nil},
	{"inner/newer", tInner, "09400000 0100000002000000 ff 1000 77", zmycase.Case{Inner: zmycase.Point2{X: 1, Y: 2}}, nil},
	{"inner/mixed", tInner, "04400000 01000000 0a00", zmycase.Case{}, zmy.ErrMixed},
	{"inner/reserved", tInner, "08000020 0100000000000000", zmycase.Case{}, zmy.ErrReserved},
	{"inner/sparse", tInner, "08000010 0100000000000000", zmycase.Case{}, zmy.ErrReserved},
	{"ptr/zero", tPtr, "08000000 0000000000000000", zmycase.Case{Ptr: &zmycase.Point2{}}, nil},
	{"num", tNum, "00000000", zmycase.Case{Num: ptr[int32](0)}, nil},
	{"num/short", tNum, "000000", zmycase.Case{}, zmy.ErrLength},
	{"opt/empty", tOpt, "01", zmycase.Case{Opt: ptr("")}, nil},
	{"opt/flag", tOpt, "02", zmycase.Case{}, zmy.ErrDomain},
	{"list/empty", tList, "01", zmycase.Case{List: []string{}}, nil},
	{"big", tBig, "01 0100", zmycase.Case{Big: big.NewInt(-256)}, nil},
	{"big/zero", tBig, "00", zmycase.Case{Big: new(big.Int)}, nil},
	{"big/minus zero", tBig, "01", zmycase.Case{}, zmy.ErrDomain},
	{"big/long", tBig, "00 0001", zmycase.Case{}, zmy.ErrNotMinimal},
	{"real", tReal, "35000000 28 01000000 c0", zmycase.Case{Real: big.NewFloat(-1.5)}, nil},
	{"real/low bits", tReal, "01000000 08 01000000 c0", zmycase.Case{}, zmy.ErrDomain},
	{"real/unnormal", tReal, "35000000 08 01000000 40", zmycase.Case{}, zmy.ErrNotMinimal},
	{"real/exponent bomb", tReal, "35000000 08 ffffff7f 80", zmycase.Case{}, zmy.ErrDomain},
	{"real/precision bomb", tReal, "ffffffff 08 01000000 80", zmycase.Case{}, zmy.ErrDomain},
	{"pair", tPair, "0600 0600 0700 61", zmycase.Case{Pair: [2]string{"", "a"}}, nil},
	{"pair/zero", tPair, "0600 0600 0600", zmycase.Case{}, zmy.ErrZero},
	{"pair/three", tPair, "0800 0800 0900 0900 61", zmycase.Case{}, zmy.ErrCount},
	{"spots/zero", tSpots, "08000000 00000000000000000000000000000000", zmycase.Case{}, zmy.ErrZero},
	{"any/int8", tAny, "03 ff", zmycase.Case{Any: -1}, nil},
	{"any/int16 small", tAny, "04 7f00", zmycase.Case{}, zmy.ErrNotMinimal},
	{"any/int64 small", tAny, "06 ffffff7f00000000", zmycase.Case{}, zmy.ErrNotMinimal},
	{"any/uint64", tAny, "07 0000000000000080", zmycase.Case{Any: uint64(1 << 63)}, nil},
	{"any/uint64 small", tAny, "07 ffffffffffffff7f", zmycase.Case{}, zmy.ErrNotMinimal},
	{"any/kind 0", tAny, "00", zmycase.Case{}, zmy.ErrDomain},
	{"any/unknown", tAny, "ff 0102", zmycase.Case{Any: zmy.RawAny{Kind: 255, Data: []byte{1, 2}}}, nil},
	{"any/struct", tAny, "0e 0100000000000000 77", zmycase.Case{Any: zmy.RawStruct{ID: 1, Data: []byte("w")}}, nil},
	{"any/empty list", tAny, "0c", zmycase.Case{Any: []any{}}, nil},
	{"any/map", tAny, "0d 0700 0400 0500 61 0400 0500 01", zmycase.Case{Any: map[string]any{"a": false}}, nil},
	{"any/bools", tAny, "20 0001", zmycase.Case{Any: []bool{false, true}}, nil},
	{"any/bools 2", tAny, "20 02", zmycase.Case{}, zmy.ErrDomain},
	{"any/decimal", tAny, "10 0200 00 7b", zmycase.Case{Any: zmy.Decimal{Scale: 2, Unscaled: big.NewInt(123)}}, nil},
	{"any/decimal bomb", tAny, "10 ff7f 00 7b", zmycase.Case{}, zmy.ErrDomain},
	{"any/time nanos", tAny, "0b 0000000000000000 00ca9a3b", zmycase.Case{}, zmy.ErrDomain},
}

func TestTails(t *testing.T) {
	for _, c := range tailCases {
		t.Run(c.name, func(t *testing.T) {
			b := caseWith(c.tail, c.hex)
			var got zmycase.Case
			err := zmy.Unmarshal(b, &got)
			_, verr := zmycase.ViewCase(b)
			if !errors.Is(err, c.err) || !errors.Is(verr, c.err) {
				t.Fatalf("unmarshal: %v; verify: %v; want %v", err, verr, c.err)
			}
			if c.err != nil {
				return
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Fatalf("got %+v\nwant %+v", got, c.want)
			}
			if (zmy.UnmarshalOptions{Exact: true}).Unmarshal(b, &got) != nil {
				return // another version, which marshal does not write
			}
			hostile(t, b, &zmycase.Case{}, verify(zmycase.ViewCase))
			if again, err := zmy.Marshal(&c.want); err != nil || string(again) != string(b) {
				t.Errorf("marshal: %v\n got %x\nwant %x", err, again, b)
			}
		})
	}
}

// passedOn are messages of newer versions which a type with a field zmy.Unknown
// writes as it read them.
var passedOn = []struct{ name, hex string }{
	{"no newer", `00400000 1a00 08000000 01000000 02000000 03000000 04000000`},
	{"tail of the message", `00800000 1c00 1e00 08000000 01000000 02000000 0300000004000000 77ff`},
	{"scalar of the message", `01400000 fe 1300 08000000 01000000 02000000`},
	{"scalar of elements", `00400000 1c00 09000000 01000000 02000000 05 03000000 04000000 00`},
	{"tail of elements", `00400000 1900 08400000 0800 1300 01000000 02000000 0b00 6e`},
	{"both, one empty", `00400000 2700 09400000 0a00 1600 2100 01000000 02000000 07 0c00 6e 00000000 03000000 00 0b00`},
}

func TestPassedOn(t *testing.T) {
	for _, c := range passedOn {
		t.Run(c.name, func(t *testing.T) {
			b := unhex(c.hex)
			var v zmycase.KeepList
			if err := zmy.Unmarshal(b, &v); err != nil {
				t.Fatal(err)
			}
			if again, err := zmy.Marshal(&v); err != nil || string(again) != string(b) {
				t.Errorf("%v\n got %x\nwant %x", err, again, b)
			}
			hostile(t, b, &v, verify(zmycase.ViewKeepList))
		})
	}
}
