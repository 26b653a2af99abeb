package pbtype

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/internal/pbwire"
)

// Tag is the parsed struct tag of a field.
type Tag struct {
	Number   int32 // 0 for a field without a number
	Skip     bool  // proto:"-"
	Unknown  bool  // proto:"unknown"
	Value    Coding
	Key, Val Coding // of the keys and values of a map
	Packing  Packing
	Optional bool // the field has presence
	Oneof    string
	Name     string  // of the field in .proto files, if the tag gives one
	Holder   bool    // proto:"oneof" or protobuf_oneof:"…": an interface that holds an arm
	Inner    bool    // proto:"1,oneof", or the word oneof of protobuf:"…": the value of a struct that is an arm
	Legacy   *Legacy // set if the tag is protobuf:"…"
}

// Coding says how a value is encoded, as far as a tag says it.
type Coding struct {
	Form Form
	Raw  bool // strings are not checked
	// Wrapper says that the value is in a message of its own, such as google.protobuf.StringValue.
	Wrapper bool
	Own     Kind // Text or Binary: the Go type's own methods write and read it; Invalid for others
}

// Form is how a number or a struct is encoded.
type Form uint8

// The forms.
const (
	NoForm Form = iota // the default of the Go type
	Varint
	Sint  // varint, zigzag
	Fixed // 4 or 8 bytes, as the Go type has
	AsGroup
)

var formNames = [...]string{Varint: "varint", Sint: "sint", Fixed: "fixed", AsGroup: "group"}

// Packing says whether a list of numbers is packed.
type Packing uint8

// The packings.
const (
	NoPacking Packing = iota // the default: packed
	Packed
	Unpacked
)

// refusal says what is wrong with a type or a struct tag, and what to do.
type refusal struct{ msg, hint string }

const (
	optionWords = "sint, fixed, varint, packed, unpacked, raw, optional, wrapper, text, binary, group, oneof, " +
		"key:…, val:…, oneof:Name and name:field_name"
	partWords = "sint, fixed, varint, raw, wrapper, text and binary"
)

// parseTag parses the struct tags of a field. It reports false if the field has neither a struct tag
// proto nor protobuf.
func parseTag(tag reflect.StructTag) (t Tag, ok bool, bad *refusal) {
	text, ok := tag.Lookup("proto")
	if !ok {
		return parseLegacy(tag)
	}
	switch text {
	case "-":
		return Tag{Skip: true}, true, nil
	case "unknown":
		return Tag{Unknown: true}, true, nil
	case "oneof":
		return Tag{Holder: true}, true, nil
	}
	number, opts, more := strings.Cut(text, ",")
	if number == "oneof" {
		t.Holder = true
		name, named := strings.CutPrefix(opts, "name:")
		if !named {
			return t, true, &refusal{fmt.Sprintf("struct tag proto:\"oneof\" has no option %q", opts), "its option is name:oneof_name"}
		}
		return t, true, t.named(name)
	}
	if t.Number, bad = parseNumber(number); bad != nil {
		return t, true, bad
	}
	if !more {
		return t, true, nil
	}
	seen := map[string]bool{}
	for opt := range strings.SplitSeq(opts, ",") {
		if bad := t.option(opt); bad != nil {
			return t, true, bad
		}
		if seen[opt] {
			return t, true, &refusal{fmt.Sprintf("struct tag proto has option %q twice", opt), "remove one"}
		}
		seen[opt] = true
	}
	return t, true, nil
}

// parseNumber parses a field number.
func parseNumber(text string) (int32, *refusal) {
	n, err := strconv.ParseUint(text, 10, 32)
	hint := fmt.Sprintf("use a number from 1 to %d", pbwire.MaxNumber)
	switch {
	case err != nil || text[0] == '0' && len(text) > 1:
		return 0, &refusal{"bad field number " + strconv.Quote(text), hint + `, as in proto:"1"`}
	case n < 1 || n > pbwire.MaxNumber:
		return 0, &refusal{fmt.Sprintf("field number %d is out of range", n), hint}
	case n >= pbwire.FirstReserved && n <= pbwire.LastReserved:
		return 0, &refusal{fmt.Sprintf("field number %d is reserved by protobuf", n),
			fmt.Sprintf("use a number below %d or above %d", pbwire.FirstReserved, pbwire.LastReserved)}
	}
	return int32(n), nil
}

// option applies one option of a struct tag proto.
func (t *Tag) option(opt string) *refusal {
	word, arg, _ := strings.Cut(opt, ":")
	switch word {
	case "key":
		return t.Key.option(arg, opt, partWords)
	case "val":
		return t.Val.option(arg, opt, partWords)
	case "name":
		return t.named(arg)
	case "oneof":
		if opt == "oneof" {
			t.Inner = true
			return nil
		}
		if !isName(arg) {
			return &refusal{fmt.Sprintf("bad name %q of a oneof", arg), "use a name of letters, digits and _, as in oneof:Kind"}
		}
		if t.Oneof != "" {
			return &refusal{"struct tag proto has two oneofs", "remove one"}
		}
		t.Oneof = arg
		return nil
	}
	switch opt {
	case "optional":
		t.Optional = true
	case "packed", "unpacked":
		if t.Packing != NoPacking {
			return &refusal{"options packed and unpacked exclude each other", "remove one"}
		}
		t.Packing = Packed
		if opt == "unpacked" {
			t.Packing = Unpacked
		}
	case "group":
		return t.Value.set(AsGroup)
	default:
		return t.Value.option(opt, opt, optionWords)
	}
	return nil
}

// option applies an option of a value. whole is the option as the tag has it.
func (c *Coding) option(word, whole, words string) *refusal {
	switch word {
	case "sint":
		return c.set(Sint)
	case "fixed":
		return c.set(Fixed)
	case "varint":
		return c.set(Varint)
	case "raw":
		c.Raw = true
		return nil
	case "wrapper":
		c.Wrapper = true
		return nil
	case "text":
		return c.own(Text)
	case "binary":
		return c.own(Binary)
	}
	return &refusal{fmt.Sprintf("struct tag proto has no option %q", whole), "options are " + words}
}

func (c *Coding) set(f Form) *refusal {
	if c.Form != NoForm && c.Form != f {
		return &refusal{fmt.Sprintf("options %s and %s exclude each other", formNames[c.Form], formNames[f]), "remove one"}
	}
	c.Form = f
	return nil
}

func (c *Coding) own(k Kind) *refusal {
	if c.Own != Invalid && c.Own != k {
		return &refusal{"options text and binary exclude each other", "remove one"}
	}
	c.Own = k
	return nil
}

// isName reports whether s may be the name of a oneof in a .proto file.
func isName(s string) bool {
	for i, r := range []byte(s) {
		letter := 'a' <= r|0x20 && r|0x20 <= 'z' || r == '_'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}
