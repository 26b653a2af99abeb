package fxprototest

import (
	"encoding"
	"errors"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/fxproto"
	"github.com/zmylab/zmy/internal/pbtype"
)

// samples has what the methods of types write, for values that come back unchanged.
var samples = map[reflect.Type][]string{
	reflect.TypeFor[netip.Addr](): {"", "127.0.0.1", "::1", "fe80::1%eth0"},
	reflect.TypeFor[Code]():       {"", "0102ff", "feffff", "000001"},
	reflect.TypeFor[Path]():       {"", "a", "a/b", "/", "żółć//🦀"},
	reflect.TypeFor[Pair]():       {"", "\x01\x02\x03", "\x00\x00\xff"},
	reflect.TypeFor[big.Int]():    {"1", "-123456789012345678901234567890"},
	reflect.TypeFor[big.Rat]():    {"1/3", "-7/5"},
	reflect.TypeFor[time.Time]():  {"2026-01-02T03:04:05.6Z", "0001-01-01T00:00:01Z"},
	reflect.TypeFor[Note]():       {"", "x", strings.Repeat("y", 127), strings.Repeat("z", 128), strings.Repeat("long", 5000)},
}

// own returns a random value of a type with methods of its own.
func (r filler) own(p *plannedValue) reflect.Value {
	all := samples[p.Type]
	text := all[r.IntN(len(all))]
	if p.Kind == pbtype.Binary && p.Type == reflect.TypeFor[time.Time]() {
		text = string(written(p.Kind, read(&plannedValue{Type: p.Type, Kind: pbtype.Text}, text)))
	}
	return read(p, text)
}

// written returns what the method of v writes.
func written(k pbtype.Kind, v reflect.Value) []byte {
	x := reflect.New(v.Type())
	x.Elem().Set(v)
	var b []byte
	var err error
	if k == pbtype.Text {
		b, err = x.Interface().(encoding.TextMarshaler).MarshalText()
	} else {
		b, err = x.Interface().(encoding.BinaryMarshaler).MarshalBinary()
	}
	if err != nil {
		panic(err)
	}
	return b
}

// read returns the value that the method of a type reads.
func read(p *plannedValue, b string) reflect.Value {
	x := reflect.New(p.Type)
	if b == "" {
		return x.Elem()
	}
	var err error
	if p.Kind == pbtype.Text {
		err = x.Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(b))
	} else {
		err = x.Interface().(encoding.BinaryUnmarshaler).UnmarshalBinary([]byte(b))
	}
	if err != nil {
		panic(err)
	}
	return x.Elem()
}

// isZeroOwn reports whether a value without presence is not written, whatever its method writes.
func isZeroOwn(v reflect.Value) bool { return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 }

// isForeign reports whether an error is that of a method of a type.
func isForeign(err error) bool {
	for _, known := range []error{fxproto.ErrTruncated, fxproto.ErrVarint, fxproto.ErrFieldNumber, fxproto.ErrWireType, fxproto.ErrGroup,
		fxproto.ErrDepth, fxproto.ErrUTF8, fxproto.ErrMemory} {
		if errors.Is(err, known) {
			return false
		}
	}
	return err != nil
}

// TestOwnErrors: errors of methods have the path to the field, and generated code has those of reflection.
func TestOwnErrors(t *testing.T) {
	bad := Code{0xff}
	for _, c := range []struct {
		v    *Own
		want string
	}{
		{&Own{Code: bad}, "Own.Code: refused by"}, {&Own{Codes: []Code{{}, bad}}, "Own.Codes[1]: refused by"},
		{&Own{Pairs: map[int32]Pair{3: {a: 0xff}}}, "Own.Pairs[3]: refused by"}, {&Own{One: &bad}, "Own.One: refused by"},
		{&Own{Pair: Pair{a: 0xff}}, "Own.Pair: refused by"}, {&Own{Other: &OwnedPair{Pair{a: 0xff}}}, "Own.Other: refused by"},
		{&Own{Note: Note{"\xff"}}, "Own.Note: string is not UTF-8 (use option binary)"},
		{&Own{Path: Path{"\xff"}}, "Own.Path: string is not UTF-8"},
	} {
		for _, o := range []fxproto.MarshalOptions{ours, generated} {
			b, err := o.Append([]byte("abc"), c.v)
			if err == nil || !strings.HasPrefix(err.Error(), "fxproto: marshal "+c.want) || string(b) != "abc" {
				t.Errorf("%v, %q, want %s", err, b, c.want)
			}
			if own := strings.Contains(c.want, "refused"); own != errors.Is(err, errOwn) {
				t.Errorf("cause of %v", err)
			}
		}
	}
	for _, c := range []struct{ bytes, want string }{
		{"\x2a\x01a", "Own.Code: refused by a method of the type at offset 2"},
		{"\x32\x06000000\x32\x01a", "Own.Codes[1]: refused by a method of the type at offset 10"},
		{"\x5a\x04\x12\x02ab", "Own.Pairs.value: refused by a method of the type at offset 4"},
		{"\x8a\x01\x01\xff", "Own.Note: string is not UTF-8 at offset 3 (use option binary)"},
	} {
		for _, o := range []fxproto.UnmarshalOptions{{}, reflection} {
			err := o.Unmarshal([]byte(c.bytes), &Own{})
			if err == nil || err.Error() != "fxproto: unmarshal "+c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
			if verify := o.Verify([]byte(c.bytes), &Own{}); !reflect.DeepEqual(verify, err) {
				t.Errorf("Verify: %v, Unmarshal: %v", verify, err)
			}
		}
	}
}

// TestOwnReplaces: a second value replaces the first; it is not merged into it.
func TestOwnReplaces(t *testing.T) {
	for _, o := range []fxproto.UnmarshalOptions{{}, reflection} {
		got := &Own{Path: Path{"old"}, PP: &Path{"old"}}
		err := o.Merge([]byte("\x3a\x01a\x3a\x01b\x4a\x01c"), got)
		if err != nil || !reflect.DeepEqual(got, &Own{Path: Path{"b"}, PP: &Path{"c"}}) {
			t.Errorf("%+v, %v", got, err)
		}
	}
}
