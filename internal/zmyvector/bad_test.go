package zmyvector

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/zmylab/zmy/internal/zmymodel"
)

// raw is an input that no value is written as.
type raw struct {
	id, reader string
	b          []byte
	limits     zmymodel.Limits
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		panic(err)
	}
	return b
}

// message is a value as the model writes it.
func message(v Message) (Reader, []byte) {
	r := readerOf(v)
	return r, zmymodel.Encode(r.Type, r.Value(v))
}

func readerOf(v Message) Reader {
	name := fmt.Sprintf("%T", v)
	r, ok := Find(name[strings.LastIndex(name, ".")+1:])
	if !ok {
		panic(name)
	}
	return r
}

// swapped is the message of v with a part replaced by one of the same length.
func swapped(id string, v Message, part, by string) raw {
	r, b := message(v)
	if len(part) != len(by) || bytes.Count(b, []byte(part)) != 1 {
		panic(id)
	}
	return raw{id: id, reader: r.Name, b: bytes.Replace(b, []byte(part), []byte(by), 1)}
}

// tail is a struct whose only tail that is not empty has that content.
func tail(id, reader string, field int, content string) raw {
	r, _ := Find(reader)
	at := 0
	for _, f := range r.Type.Fields[:field] {
		if !f.Type.IsFixed() {
			at++
		}
	}
	b := zmymodel.Encode(r.Type, r.Type.Zero())
	in := unhex(content)
	for words := len(b) - int(b[0]) - 4; at < words/2; at++ { // all of these have no scalars
		i := 4 + 2*at
		b[i], b[i+1] = byte(len(b)+len(in)), byte((len(b)+len(in))>>8)
	}
	return raw{id: id, reader: reader, b: append(b, in...)}
}

// bad are inputs by category.
func bad() map[string][]raw {
	out := map[string][]raw{
		"strings": badStrings(),
		"scalars": {
			{id: "empty input", reader: "Order"},
			{id: "reserved bit 28", reader: "Order", b: unhex("0cc00010 0000000000000000 00000000 1600 1600 1600")},
			{id: "reserved bit 31", reader: "Order", b: unhex("0cc00080 0000000000000000 00000000 1600 1600 1600")},
			{id: "sections beyond the input", reader: "Order", b: unhex("ffffff0f 0000000000000000 00000000 1600 1600 1600")},
			{id: "ends decrease", reader: "Order", b: unhex("0cc00000 0000000000000000 00000000 1700 1600 1700 61")},
			{id: "first end too small", reader: "Order", b: unhex("0cc00000 0000000000000000 00000000 1500 1600 1600")},
			{id: "end beyond the input", reader: "Order", b: unhex("0cc00000 0000000000000000 00000000 1600 ffff 1600")},
			{id: "last end too small", reader: "Order", b: unhex("0cc00000 0000000000000000 00000000 1600 1600 1600 61")},
			{id: "fewer scalars, more tails", reader: "Order", b: unhex("0b000100 00000000000000 00000000 1700 1700 1700 1700")},
			{id: "more scalars, fewer tails", reader: "Order", b: unhex("0d800000 0000000000000000 00000000 00 1500 1500")},
		},
		"time": {
			swapped("nanoseconds 1e9", &Scalars{Time: noon}, "\x15\xcd\x5b\x07", "\x00\xca\x9a\x3b"),
			swapped("zone beyond 18 hours", &Lists{Zones: lateZone}, "\x20\xfd\x00\x00", "\x21\xfd\x00\x00"),
		},
		"optional": {
			tail("bool 2", "Optional", 0, "02"), tail("bool of two bytes", "Optional", 0, "0100"),
			tail("int too short", "Optional", 1, "00000000000000"),
			tail("time of 16 bytes", "Optional", 2, "00000000000000000000000000000000"), tail("flag 0", "Optional", 3, "00"),
			tail("flag 2", "Optional", 3, "0261"),
			tail("flag of a list", "Optional", 9, "02"), tail("zero array spelled", "Optional", 8, "01 0600 0600 0600"),
			tail("half a header", "Optional", 4, "0800"),
			tail("text not UTF-8", "Optional", 3, "01ff"), tail("bad list", "Optional", 9, "010200"),
			tail("struct of another kind", "Optional", 4, "04400000 00000000 0a00"),
		},
		"lists": {
			tail("half an int16", "Lists", 0, "010203"), tail("bool 2", "Lists", 4, "010002"),
			tail("second time bad", "Lists", 5, "000000000000000000000000 000000000000000000ca9a3b"),
			tail("no words", "Lists", 8, "02"), tail("no elements", "Lists", 8, "0200"), tail("first word 0", "Lists", 8, "0000 0000"),
			tail("first word odd", "Lists", 8, "0500 0600 61 61"),
			tail("first word beyond", "Lists", 8, "0800 0600 61 61"), tail("words decrease", "Lists", 8, "0600 0800 0700 61"),
			tail("last word short", "Lists", 8, "0600 0600 0600 61"),
			tail("word beyond", "Lists", 8, "0600 ff00 0700 61"), tail("rune across two", "Lists", 8, "0600 0700 0800 c3a9"),
			tail("last cut", "Lists", 8, "0400 0500 c3"),
			tail("stride 0", "Lists", 11, "00000000"), tail("dense, no element", "Lists", 11, "08000000"),
			tail("dense, half an element", "Lists", 11, "08000000 01000000 02000000 03"),
			tail("dense, reserved bit", "Lists", 11, "08000010 01000000 02000000"), tail("dense, mixed", "Lists", 12, "02800000 0800 0a00 0000"),
			tail("count overflow", "Lists", 12, "04800000 1000 1000 1000 1000 1000 1000"),
			tail("element too short", "Lists", 12, "04800000 0a00 1100 1200 00000000 0000 00"),
			tail("element ends", "Lists", 12, "04800000 0800 1000 00000000 0800 0700"), tail("header only", "Lists", 12, "04800000"),
			tail("half a header", "Lists", 12, "0480"),
			tail("long array short", "Lists", 17, "01"), tail("long array zero", "Lists", 17, strings.Repeat("00", 300)),
			tail("array of three", "Lists", 19, "0800 0800 0800 0900 61"),
			tail("zero array spelled", "Lists", 19, "0600 0600 0600"),
			tail("zero structs spelled", "Lists", 20, "08000000 0000000000000000 0000000000000000"),
			tail("zero rows spelled", "Lists", 21, "04800000 0a00 1200 1a00 00000000 0800 0800 00000000 0800 0800"),
			tail("zero box spelled", "Lists", 22, "0600 0600 0c00 0600 0600 0600"),
			tail("sparse zero spelled", "Lists", 23, "0400 0900 00000010 00"),
			tail("zero pointer to sparse", "Lists", 24, "0400 0900 00000010 00"), tail("big zero with sign", "Lists", 16, "0400 0500 01"),
			tail("wrong size behind pointer", "Lists", 14, "0400 0700 010203"),
			tail("bad time in a long array", "Lists", 18, strings.Repeat("00", 350)+"00ca9a3b"+strings.Repeat("00", 6)),
		},
		"maps": {
			tail("one byte", "Maps", 0, "07"), tail("no keys", "Maps", 0, "0200 0400 0500 61"), tail("keys beyond", "Maps", 0, "ff00 0400 0500 61"),
			tail("no values", "Maps", 0, "0700 0400 0500 61"), tail("counts", "Maps", 0, "0700 0400 0500 61 0600 0600 0600"),
			tail("twice", "Maps", 0, "0a00 0600 0700 0800 6161 0600 0600 0600"),
			tail("unsorted", "Maps", 0, "0a00 0600 0700 0800 6261 0600 0600 0600"),
			tail("signed bytes", "Maps", 0, "0b00 0600 0800 0900 c3a961 0600 0600 0600"),
			tail("shorter after longer", "Maps", 0, "0b00 0600 0800 0900 616161 0600 0600 0600"),
			tail("key not UTF-8", "Maps", 0, "0700 0400 0500 ff 0400 0400"),
			tail("value not UTF-8", "Maps", 0, "0700 0400 0500 61 0400 0500 ff"),
			tail("numbers as unsigned bytes", "Maps", 2, "0400 00ff 0600 0600 0600"), tail("number twice", "Maps", 2, "0400 0101 0600 0600 0600"),
			tail("large keys as signed", "Maps", 3, "1200 0000000000000080 0000000000000000 0000000000000000"),
			tail("half a key", "Maps", 3, "0900 00000000000000 00000000"),
			tail("key bool 2", "Maps", 4, "0400 0002 0000"), tail("value bool 2", "Maps", 4, "0400 0001 0102"),
			tail("bools unsorted", "Maps", 4, "0400 0100 0001"),
			tail("byte arrays as numbers", "Maps", 6, "0600 0100 0001 08000000 0000000000000000 0000000000000000"),
			tail("set with values", "Maps", 10, "0700 0400 0500 61 00"),
			tail("set unsorted", "Maps", 10, "0a00 0600 0700 0800 6261"),
			tail("value column of another size", "Maps", 9, "0700 0400 0500 61 00"),
			tail("bad value deep", "Maps", 12, "0700 0400 0500 61 0400 0800 0300 02 61"),
		},
		"nested": {
			{id: "zero struct spelled", reader: "V1", b: unhex("04c00000 01000000 0e00 0e00 1400 02000000 0000")},
			{id: "list in a zero struct's place", reader: "V1", b: unhex("04c00000 01000000 0e00 0e00 0f00 00")},
		},
		"union": {
			tail("one byte", "Cast", 0, "01"), tail("number 0", "Cast", 0, "0000"),
			tail("zero arm spelled", "Cast", 0, "0200 04000000 00000000"), tail("zero sparse arm spelled", "Cast", 0, "0700 00000010 00"),
			tail("half a header", "Cast", 0, "0200 0400"), tail("text in an arm", "Cast", 0, "0100 00800000 0900 0900 ff"),
			tail("arm in an arm", "Cast", 0, "0100 00800000 0800 0a00 0000"), tail("element", "Cast", 1, "0400 0500 01"),
		},
		"any":    badAny(),
		"bignum": badNumbers(),
		"sparse": badSparse(),
		"limits": badLimits(),
		"wide":   badWide(),
	}
	for category, list := range passedOn() {
		out[category] = append(out[category], list...)
	}
	return out
}

func badStrings() (out []raw) {
	for _, c := range []struct{ id, by string }{
		{"continuation alone", "a\x80bc"}, {"two bytes cut", "abc\xc3"}, {"two bytes, then ascii", "\xc3abc"},
		{"overlong 2f", "\xc0\xafbc"}, {"overlong 7f", "a\xc1\xbfc"},
		{"overlong three", "\xe0\x9f\xbfc"}, {"surrogate d800", "\xed\xa0\x80c"}, {"surrogate dfff", "\xed\xbf\xbfc"},
		{"overlong four", "\xf0\x8f\xbf\xbf"},
		{"beyond 10ffff", "\xf4\x90\x80\x80"}, {"f5", "\xf5\x80\x80\x80"}, {"fe", "abc\xfe"}, {"ff", "\xffabc"},
		{"three bytes cut", "ab\xe2\x82"}, {"four bytes cut", "a\xf0\x9f\x98"},
	} {
		out = append(out, swapped(c.id, &Order{ID: "abcd"}, "abcd", c.by),
			swapped("list: "+c.id, &Lists{Texts: []string{"abcd", "é"}}, "abcd", c.by))
	}
	return append(out,
		swapped("bad in the ninth byte", &Order{ID: "eight...9"}, "9", "\xff"),
		swapped("bad before the last eight", &Order{ID: "#0123456789abcdef"}, "#", "\xff"))
}

func badAny() (out []raw) {
	for _, c := range []struct{ id, hex string }{
		{"kind 0", "00"}, {"false with payload", "0100"}, {"true with payload", "0200"}, {"int8 empty", "03"}, {"int8 long", "030101"},
		{"int16 holds int8", "047f00"}, {"int16 holds int8 below", "0480ff"}, {"int32 holds int16", "05ff7f0000"},
		{"int32 holds int16 below", "050080ffff"},
		{"int64 holds int32", "06ffffff7f00000000"}, {"int64 holds int32 below", "0600000080ffffffff"},
		{"uint64 holds int64", "07ffffffffffffff7f"},
		{"float64 short", "0800000000000000"}, {"text", "09ff"}, {"time short", "0b0000000000000000000000"},
		{"time nanoseconds", "0b000000000000000000ca9a3b"},
		{"time seconds", "0b ffffffffffffff7f 00000000"}, {"list without words", "0c00"}, {"list odd", "0c 0500 0600 61 61"}, {"map cut", "0d00"},
		{"map key twice", "0d 0a00 0600 0700 0800 6161 0600 0600 0600"}, {"map counts", "0d 0700 0400 0500 61 0600 0600 0600"},
		{"map value", "0d 0700 0400 0500 61 0400 0600 047f"},
		{"map value ends", "0d 0a00 0600 0700 0800 6162 0600 0900 0800 0101"}, {"struct short", "0e00000000000000"},
		{"duration long", "0f000000000000000000"},
		{"decimal short", "100000"}, {"decimal scale", "10 1127 00 7b"}, {"decimal scale below", "10 efd8 00 7b"},
		{"decimal sign", "10 0000 02 7b"}, {"decimal leading zero", "10 0000 00 007b"},
		{"bigint empty", "11"}, {"bigint minus zero", "1101"}, {"bigint leading zero", "11000001"},
		{"bigfloat short", "120000000000000000"}, {"float32 long", "140000000000"},
		{"complex64 short", "1500000000000000"}, {"number not UTF-8", "17ff"}, {"bools 2", "200002"}, {"int16s odd", "2201"},
		{"times short", "2a00"}, {"times bad", "2a 000000000000000000000000 0000000000000000ffffffff"},
		{"strings no words", "2c00"}, {"strings bad", "2c 0400 0500 ff"}, {"stringmap cut", "2d00"},
		{"stringmap unsorted", "2d 0a00 0600 0700 0800 6261 0600 0600 0600"},
		{"deep", "0c 0400 0a00 0c 0400 0500 00"},
	} {
		out = append(out, tail(c.id, "Dynamic", 0, c.hex))
	}
	long := tail("decimal of 4,097 bytes", "Dynamic", 0, "10 0000 00"+strings.Repeat("01", 4097))
	fits := tail("decimal of 4,096 bytes", "Dynamic", 0, "10 0000 00"+strings.Repeat("01", 4096))
	return append(out, long, fits)
}

func badNumbers() (out []raw) {
	for _, c := range []struct {
		id    string
		field int
		hex   string
	}{
		{"zero spelled", 0, "00"}, {"sign 2", 0, "0201"}, {"sign without magnitude", 2, "01"}, {"leading zero", 2, "000001"},
		{"float zero spelled", 1, "000000000000000000"},
		{"float short", 3, "3500000008010000"}, {"precision 65537", 3, "01000100 08 01000000 80"},
		{"precision most", 3, "00000100 08 01000000 80"}, {"exponent 65537", 3, "35000000 08 01000100 80"},
		{"exponent below", 3, "35000000 08 fffffeff 80"}, {"exponent least", 3, "35000000 08 0000ffff 80"},
		{"rounding 6", 3, "35000000 0e 01000000 80"}, {"kind 3", 3, "35000000 18 00000000"},
		{"bit 6", 3, "35000000 48 01000000 80"}, {"infinite with exponent", 3, "35000000 10 01000000"},
		{"zero with mantissa", 3, "35000000 00 00000000 80"},
		{"no mantissa", 3, "35000000 08 01000000"}, {"top bit clear", 3, "35000000 08 01000000 40"},
		{"last byte zero", 3, "35000000 08 01000000 8000"}, {"bits past the precision", 3, "01000000 08 01000000 c0"},
		{"element", 4, "0400 0500 01"},
	} {
		out = append(out, tail(c.id, "Numbers", c.field, c.hex))
	}
	return out
}

func badSparse() (out []raw) {
	for _, c := range []struct{ id, hex string }{
		{"dense", "02000000 0100"}, {"bit 29", "00000030 00"}, {"no bitmap", "00000010"}, {"bitmap cut", "00000010 0201"},
		{"bitmap ends with 0", "02000010 02 0100 0100"},
		{"scalar missing", "02000010 01 05 ffff"}, {"scalar too many", "03000010 01 01 ffff 01"}, {"tail missing", "00000010 01 02"},
		{"tail too many", "00400010 01 00 0900 61"},
		{"zero scalar", "02000010 01 01 0000"}, {"empty tail", "00400010 01 02 0800"}, {"bool 2", "01000010 01 04 02"},
		{"text", "00400010 01 02 0900 ff"}, {"end", "00400010 01 02 0a00 61"},
		{"unknown scalar", "03000010 01 11 ffff 07"}, {"unknown tail", "00400010 01 10 0900 61"},
		{"unknown of both", "01800010 01 72 07 0d00 0e00 61 62"}, {"unknown empty tail", "00400010 01 10 0800"},
		{"unknown without bytes", "00000010 01 10"}, {"unknown scalars, too few", "01000010 01 30 01"},
		{"unknown, all tails, and scalars", "01400010 01 10 01 0a00 61"},
		{"bitmap of 255 bytes", "01000010 ff" + strings.Repeat("00", 254) + "80 01"},
	} {
		for _, reader := range []string{"Sparse1", "Sparse2"} {
			out = append(out, raw{id: c.id, reader: reader, b: unhex(c.hex)})
		}
	}
	return out
}

func badLimits() (out []raw) {
	chain := func(n int) []byte {
		v := &Tree{}
		for ; n > 1; n-- {
			v = &Tree{Left: v}
		}
		_, b := message(v)
		return b
	}
	anys := func(n int) []byte {
		var v any
		for ; n > 1; n-- {
			v = []any{v}
		}
		_, b := message(&Dynamic{v})
		return b
	}
	_, order := message(&Order{ID: strings.Repeat("x", 100)})
	fat := append(unhex("00000200 1400 1400 1400 1400 1400 1400"), unhex("1400 1400")...) // Wide without content
	list := append(unhex("01000000"), bytes.Repeat([]byte{7}, 60_000)...)
	for i := 6; i < 8; i++ {
		end := len(fat) + len(list)
		fat[4+2*i], fat[5+2*i] = byte(end), byte(end>>8)
	}
	fat = append(fat, list...)
	_, lists := message(&Lists{Refs: []*Line{{Sku: "a"}, {}}, Texts: []string{"a", "b"}, Bools: []bool{true, true}})
	_, maps := message(&Maps{Large: lots, Text: map[string]string{"a": "b"}})
	_, opt := message(&Optional{Point: &Point{1, 2}, Table: &[300]uint8{1: 1}, Int: ptr[int64](1)})
	_, cast := message(&Cast{Lead: Robot{1}, Actors: []Actor{Robot{}, ActorUnknown{Disc: 9}}})
	_, newer := message(&V3{1, "n", []Part3{{1, "a", 4, []byte{5}}}, Part3{}, 1.5, "note", true, nil})
	_, dyn := message(&Dynamic{map[string]any{"a": []any{1, "b"}, "b": []string{"x"}, "c": []bool{true}}})
	budget := func(n int64) zmymodel.Limits { return zmymodel.Limits{Budget: n} }
	out = append(out,
		raw{id: "depth 64", reader: "Tree", b: chain(64)}, raw{id: "depth 65", reader: "Tree", b: chain(65)},
		raw{id: "depth 65, allowed", reader: "Tree", b: chain(65), limits: zmymodel.Limits{MaxDepth: 65}},
		raw{id: "depth 3 of 2", reader: "Tree", b: chain(3), limits: zmymodel.Limits{MaxDepth: 2}},
		raw{id: "any depth 64", reader: "Dynamic", b: anys(64)}, raw{id: "any depth 65", reader: "Dynamic", b: anys(65)},
		raw{id: "size reached", reader: "Order", b: order, limits: zmymodel.Limits{MaxWire: len(order)}},
		raw{id: "size passed", reader: "Order", b: order, limits: zmymodel.Limits{MaxWire: len(order) - 1}},
		raw{id: "thin becomes fat", reader: "Wide", b: fat},
		raw{id: "thin becomes fat, allowed", reader: "Wide", b: fat, limits: budget(481 * 60_000)},
		raw{id: "one unit short", reader: "Wide", b: fat, limits: budget(481*60_000 - 1)},
		raw{id: "exact, older", reader: "V2", b: v1Message(), limits: zmymodel.Limits{Exact: true}},
		raw{id: "exact, newer", reader: "V2", b: newer, limits: zmymodel.Limits{Exact: true}},
		raw{id: "exact, same", reader: "V3", b: newer, limits: zmymodel.Limits{Exact: true}})
	for _, c := range []struct {
		reader string
		b      []byte
	}{{"Lists", lists}, {"Maps", maps}, {"Optional", opt}, {"Cast", cast}, {"Keep1", newer}, {"Dynamic", dyn}} {
		out = append(out, budgets(c.reader, c.b)...)
	}
	return out
}

// budgets are the input under each budget at which another part of it fails; more goes
// before their names.
func budgets(reader string, b []byte, more ...string) (out []raw) {
	r, _ := Find(reader)
	for n := int64(1); n < 4096; n++ {
		_, f := zmymodel.Decode(r.Type, b, zmymodel.Limits{Budget: n})
		_, before := zmymodel.Decode(r.Type, b, zmymodel.Limits{Budget: n - 1})
		if n == 1 || (f == nil) != (before == nil) || f != nil && before != nil && *f != *before {
			out = append(out, raw{id: strings.Join(append(more[:len(more):len(more)], fmt.Sprintf("budget %s %d", reader, n)), ", "),
				reader: reader, b: b, limits: zmymodel.Limits{Budget: n}})
		}
		if f == nil {
			return out
		}
	}
	panic("the budget is too small for " + reader)
}

// badWide are containers with words that are too wide, or too narrow.
func badWide() (out []raw) {
	wide := func(l int) []byte { // Wide with four-byte ends and only a text, l bytes in all
		b := unhex("00000200")
		for range 8 {
			b = append(b, byte(l), byte(l>>8), byte(l>>16), byte(l>>24))
		}
		return append(b, bytes.Repeat([]byte("x"), l-len(b))...)
	}
	for _, l := range []int{65_535 + 2*8, 65_535 + 2*8 + 1, 65_536} {
		out = append(out, raw{id: fmt.Sprintf("struct of %d bytes", l), reader: "Wide", b: wide(l)})
	}
	list := func(l int) raw { // one string in a list of l bytes with four-byte words
		in := append([]byte{8, 0, 0, 0, byte(l), byte(l >> 8), byte(l >> 16), 0}, bytes.Repeat([]byte("x"), l-8)...)
		return inWide(fmt.Sprintf("list of %d bytes", l), 3, in)
	}
	mapping := func(l int) raw {
		keys := []byte{4, 0, 5, 0, 'k'}
		vals := append([]byte{4, 0}, make([]byte, 2)...)
		n := l - 4 - len(keys)
		vals = append(vals[:0], []byte{8, 0, 0, 0, byte(n), byte(n >> 8), byte(n >> 16), 0}...)
		if n <= 65_535 {
			vals = []byte{4, 0, byte(n), byte(n >> 8)}
		}
		vals = append(vals, bytes.Repeat([]byte("x"), n-len(vals))...)
		return inWide(fmt.Sprintf("map of %d bytes", l), 4, append(append([]byte{9, 0, 0, 0}, keys...), vals...))
	}
	for _, l := range []int{65_535 + 4, 65_535 + 5, 65_536} {
		out = append(out, list(l))
	}
	for _, l := range []int{65_535 + 2, 65_535 + 3, 65_536} {
		out = append(out, mapping(l))
	}
	return out
}

// inWide is a Wide of which one tail, by number, has that content.
func inWide(id string, number int, content []byte) raw {
	b, l := unhex("00000200"), 4+4*8+len(content)
	for i := range 8 {
		end := 4 + 4*8
		if i >= number {
			end = l
		}
		b = append(b, byte(end), byte(end>>8), byte(end>>16), byte(end>>24))
	}
	return raw{id: id, reader: "Wide", b: append(b, content...)}
}
