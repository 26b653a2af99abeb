package fxprototest

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	theirjson "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/zmylab/zmy/fxjson/protojson"
)

// jsonOptions are pairs of equal options.
var jsonOptions = []struct {
	ours   protojson.MarshalOptions
	theirs theirjson.MarshalOptions
}{
	{},
	{protojson.MarshalOptions{UseProtoNames: true, UseEnumNumbers: true}, theirjson.MarshalOptions{UseProtoNames: true, UseEnumNumbers: true}},
	{protojson.MarshalOptions{EmitDefaultValues: true}, theirjson.MarshalOptions{EmitDefaultValues: true}},
	{protojson.MarshalOptions{EmitUnpopulated: true}, theirjson.MarshalOptions{EmitUnpopulated: true}},
}

// TestJSONValues compares package fxjson/protojson with protobuf-go's protojson on random values.
func TestJSONValues(t *testing.T) {
	file := protoFile(t)
	for _, rt := range types {
		t.Run(rt.Name(), func(t *testing.T) {
			s := exported(t, file, rt)
			for seed := range uint64(values / 3) {
				s.compareJSON(t, newFiller(seed))
			}
		})
	}
}

// compareJSON compares the documents of a random value, and what both read from them.
func (s *schema) compareJSON(t *testing.T, r filler) {
	t.Helper()
	v := reflect.New(s.rt)
	r.message(s.plan, v.Elem(), 3)
	msg := toDynamic(s.plan, s.desc, v.Elem())
	for _, o := range jsonOptions {
		o.ours.Resolver, o.theirs.Resolver = resolveOurs, resolverOf(s)
		got, err := o.ours.Marshal(v.Interface())
		want, wantErr := o.theirs.Marshal(msg)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%v, protobuf-go: %v: %+v", err, wantErr, v)
		}
		if err != nil {
			return
		}
		if x, y := generic(t, got), generic(t, want); !reflect.DeepEqual(x, y) {
			t.Fatalf("%s\nprotobuf-go:\n%s", got, want)
		}
		if reordered(got, want) {
			t.Fatalf("another order:\n%s\nprotobuf-go:\n%s", got, want)
		}
		s.compareDocument(t, got)
		s.compareDocument(t, want)
	}
}

// generic returns a document without its spelling; numbers keep their digits.
func generic(t *testing.T, b []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	return v
}

var nameForm = regexp.MustCompile(`"(\w+)":`)

// reordered reports whether names are in another order.
func reordered(a, b []byte) bool {
	b = bytes.ReplaceAll(b, []byte(`": `), []byte(`":`))
	return !bytes.Equal(bytes.Join(nameForm.FindAll(a, -1), nil), bytes.Join(nameForm.FindAll(b, -1), nil))
}

// quirk is a number that protobuf-go accepts by mistake: an exponent without digits.
var quirk = regexp.MustCompile(`\d[eE][+-]?([^0-9+-]|$)`)

// compareDocument compares what both read from a document. It reports whether it was accepted.
func (s *schema) compareDocument(t *testing.T, b []byte) bool {
	t.Helper()
	accepted := false
	for _, discard := range []bool{false, true} {
		v := reflect.New(s.rt).Interface()
		err := protojson.UnmarshalOptions{DiscardUnknown: discard, Resolver: resolveOurs}.Unmarshal(b, v)
		msg := dynamicpb.NewMessage(s.desc)
		wantErr := theirjson.UnmarshalOptions{DiscardUnknown: discard, Resolver: resolverOf(s)}.Unmarshal(b, msg)
		if (err == nil) != (wantErr == nil) {
			var bad *protojson.DecodeError
			if wantErr == nil && (quirk.Match(b) || errors.As(err, &bad) && (ownRange.MatchString(bad.Error()) || ofMethod(bad.Err))) {
				return false
			}
			t.Fatalf("%v: %v, protobuf-go: %v\n%s", s.rt, err, wantErr, b)
		}
		if accepted = err == nil; !accepted {
			continue
		}
		s.compareDecoded(t, v, msg, nil)
	}
	return accepted
}

// ownRange are errors about values that Go types do not hold, but messages do.
var ownRange = regexp.MustCompile(`does not hold|is no (key|name) of u?int(8|16)|\d bytes, .* has \d`)

// ofMethod reports whether an error is that of a method of a type, which messages do not have.
func ofMethod(err error) bool {
	return !errors.Is(err, protojson.ErrSyntax) && !errors.Is(err, protojson.ErrValue) && !errors.Is(err, protojson.ErrUTF8) &&
		!errors.Is(err, protojson.ErrUnknownField) && !errors.Is(err, protojson.ErrDepth)
}

// pieces are put into documents in place of a part.
var pieces = strings.Fields(`null 0 -0 1 1.0 1e2 1.5 100e-2 1e400 -1 2147483648 4294967296 9223372036854775808 18446744073709551615 "" "1" "-1"
	"1.0" "1e1" "01" "+1" "1." 01 + tru true false "true" "NaN" "Infinity" "-Infinity" NaN {} [] {"a":1} [null] [[]] [1,"1"] "AAEC" "AAE" "-_8"
	"+/8=" "AA==" "A" "\u0031" "\ud83d\ude00" "\ud83d" "\ude00x" "\q" "2026-01-02T03:04:05Z" "2026-01-02T03:04:05.123456789+01:30"
	"2026-01-02T03:04:05.1234567891Z" "0000-01-01T00:00:00Z" "9999-12-31T23:59:59-01:00" "2026-02-30T00:00:00Z" "2026-01-02T03:04:05,5Z" "1s"
	"-1.5s" ".5s" "1.s" "+1s" "01s" "1.1234567891s" "315576000000s" "s" "." , : { } [ ] "`)

// mutateDocument changes a document at random: bytes, tokens or names.
func mutateDocument(r *rand.Rand, b []byte) []byte {
	tokens := tokenForm.FindAllIndex(b, -1)
	if len(tokens) == 0 {
		return b
	}
	at := tokens[r.IntN(len(tokens))]
	other := tokens[r.IntN(len(tokens))]
	var with []byte
	switch r.IntN(6) {
	case 0:
		with = b[other[0]:other[1]]
	case 1:
		with = bytes.Join([][]byte{b[at[0]:at[1]], b[other[0]:other[1]]}, []byte(","))
	case 2:
		with = []byte(`"` + string(bytes.Trim(b[at[0]:at[1]], `"`)) + `"`)
	case 3:
		with = bytes.Clone(b[at[0]:at[1]])
		with[r.IntN(len(with))] = byte(r.IntN(256))
	default:
		with = []byte(pieces[r.IntN(len(pieces))])
	}
	return bytes.Join([][]byte{b[:at[0]], with, b[at[1]:]}, nil)
}

var tokenForm = regexp.MustCompile(`"[^"]*"(:[^,{}\[\]]*)?|[-0-9.eE+]+|[a-z]+|[\[\]{},:]`)

// TestJSONDamaged compares both on documents that are changed at random.
func TestJSONDamaged(t *testing.T) {
	file := protoFile(t)
	for _, rt := range types {
		t.Run(rt.Name(), func(t *testing.T) {
			s := exported(t, file, rt)
			accepted, all := 0, 0
			for seed := range uint64(values) {
				r := newFiller(seed)
				v := reflect.New(s.rt)
				r.message(s.plan, v.Elem(), 2)
				b, err := protojson.MarshalOptions{Resolver: resolveOurs}.Marshal(v.Interface())
				if err != nil {
					continue
				}
				source := rand.New(rand.NewPCG(seed, 5))
				for range damaged {
					all++
					if s.compareDocument(t, mutateDocument(source, b)) {
						accepted++
					}
				}
			}
			if accepted < all/50 || accepted == all {
				t.Errorf("%d of %d documents accepted: too few or too many to compare", accepted, all)
			}
		})
	}
}

// FuzzJSON compares both on any documents, for each type.
func FuzzJSON(f *testing.F) {
	file := protoFile(f)
	schemas := make([]*schema, len(types))
	for i, rt := range types {
		schemas[i] = exported(f, file, rt)
		for seed := range uint64(3) {
			r := newFiller(seed)
			v := reflect.New(rt)
			r.message(schemas[i].plan, v.Elem(), 2)
			if b, err := (protojson.MarshalOptions{Resolver: resolveOurs}).Marshal(v.Interface()); err == nil {
				f.Add(byte(i), b)
			}
		}
	}
	f.Fuzz(func(t *testing.T, which byte, b []byte) {
		if len(b) < 5000 { // below the limits of depth, which are counted in other ways
			schemas[int(which)%len(schemas)].compareDocument(t, b)
		}
	})
}
