package protolock

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/internal/pbtype"
)

// Form is the type of a value.
type Form struct {
	Word string // int32, rawstring, google.protobuf.Timestamp, or the name of a type of the record
	Own  bool   // Word is the name of a type of the record
	Len  int    // of bytes: the length of the Go array, 0 for any length
}

// raw is a string whose bytes need not be UTF-8.
const raw = "rawstring"

// scalars has the words of scalars, and how they compare.
var scalars = map[string]scalar{
	"bool": {"varint", 0, 1, "a bool"}, "int32": {"varint", -32, 31, "a number"}, "uint32": {"varint", 0, 32, "a number"},
	"int64": {"varint", -64, 63, digits}, "uint64": {"varint", 0, 64, digits},
	"sint32": {"zigzag varint", -32, 31, "a number"}, "sint64": {"zigzag varint", -64, 63, digits},
	"fixed32": {"4 bytes", 0, 32, "a number"}, "sfixed32": {"4 bytes", -32, 31, "a number"},
	"fixed64": {"8 bytes", 0, 64, digits}, "sfixed64": {"8 bytes", -64, 63, digits},
	"float": {"float", 0, 0, "a number"}, "double": {"double", 0, 0, "a number"},
	"string": {"text", 0, 1, "a string"}, raw: {"text", 0, 2, "a string"}, "bytes": {"text", 0, 2, "base64"},
}

const digits = "a string of digits"

// enum is how an enum compares with scalars.
var enum = scalar{"varint", -32, 31, "a name"}

// scalar says what a scalar is on the wire and in JSON.
type scalar struct {
	wire      string // scalars of one wire form read each other's values
	low, high int    // values, as powers of two, or how much text is accepted
	json      string
}

func (s scalar) packable() bool { return s.wire != "text" }

// known reports whether a word names no type of the record.
func known(word string) bool {
	_, ok := scalars[word]
	return ok || strings.HasPrefix(word, "google.protobuf.")
}

// text spells the form. A type of the record whose name is a word of the file has a dot in front.
func (f Form) text() string {
	switch {
	case f.Own && (known(base(f.Word)) || labels[f.Word]):
		return "." + f.Word
	case f.Len > 0:
		return fmt.Sprintf("%s[%d]", f.Word, f.Len)
	}
	return f.Word
}

// labels are the words in front of a form.
var labels = map[string]bool{"repeated": true, "optional": true}

func parseForm(word string) (f Form, err error) {
	if own, ok := strings.CutPrefix(word, "."); ok {
		return Form{Word: own, Own: true}, nil
	}
	f.Word = word
	if name, length, ok := strings.Cut(strings.TrimSuffix(word, "]"), "["); ok && known(name) {
		f.Word = name
		if f.Len, err = strconv.Atoi(length); err != nil || f.Len <= 0 || !strings.HasSuffix(word, "]") {
			return f, fmt.Errorf("bad length in %q", word)
		}
	}
	f.Own = !known(f.Word)
	if f.Word == "" || strings.HasPrefix(f.Word, "map<") {
		return f, fmt.Errorf("%q is no type of a value", word)
	}
	return f, nil
}

// parseType parses the type of a field, which may be a map.
func (f *Field) parseType(word string) (err error) {
	inner, ok := strings.CutPrefix(word, "map<")
	if !ok {
		f.Type, err = parseForm(word)
		return err
	}
	key, value, comma := strings.Cut(strings.TrimSuffix(inner, ">"), ",")
	if !comma || !strings.HasSuffix(inner, ">") {
		return fmt.Errorf("%q is cut short", word)
	}
	if f.Key, err = parseForm(key); err == nil {
		f.Type, err = parseForm(value)
	}
	if _, ok := scalars[f.Key.Word]; err == nil && !ok {
		err = fmt.Errorf("%q is no type of keys", key)
	}
	return err
}

// typeText spells the type of a field.
func (f *Field) typeText() string {
	if f.isMap() {
		return "map<" + f.Key.text() + "," + f.Type.text() + ">"
	}
	return f.Type.text()
}

// wellKnown are packages whose structs are messages of package google.protobuf, and recorded as these.
var wellKnown = map[string]bool{
	"google.golang.org/protobuf/types/known/anypb": true, "google.golang.org/protobuf/types/known/durationpb": true,
	"google.golang.org/protobuf/types/known/emptypb": true, "google.golang.org/protobuf/types/known/fieldmaskpb": true,
	"google.golang.org/protobuf/types/known/structpb": true, "google.golang.org/protobuf/types/known/timestamppb": true,
	"google.golang.org/protobuf/types/known/wrapperspb": true, "github.com/gogo/protobuf/types": true,
}

// wordOf returns the word of a planned kind that is no message of the record.
func wordOf(kind, wrapped pbtype.Kind, isRaw bool) string {
	switch {
	case kind == pbtype.Wrapper:
		return pbtype.WrapperName(wrapped)
	case kind == pbtype.String && isRaw:
		return raw
	case kind == pbtype.Enum:
		return pbtype.Int32.String() // the same bytes; an enum with constants is a type of the record
	}
	return kind.String()
}
