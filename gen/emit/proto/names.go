package proto

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"

	"github.com/zmylab/zmy/gen/ir"
)

// names is the set of names that are taken. Names that differ only in case or underscores count as
// the same, since they would clash in JSON or in generated code.
type names map[string]bool

func (n names) take(want string) string {
	got := ir.Fresh(want, "", func(name string) bool { return n[fold(name)] })
	n[fold(got)] = true
	return got
}

func fold(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }

// snake turns a Go identifier into a proto field name: UserID becomes user_id.
func snake(s string) string {
	var b strings.Builder
	r := []rune(s)
	for i, c := range r {
		switch {
		case c == '_':
			if b.Len() > 0 {
				b.WriteByte('_')
			}
		case c > unicode.MaxASCII:
			b.WriteString("u" + strconv.FormatInt(int64(c), 16))
		case unicode.IsUpper(c):
			prevLower := i > 0 && (unicode.IsLower(r[i-1]) || unicode.IsDigit(r[i-1]))
			startsWord := i > 0 && unicode.IsUpper(r[i-1]) && i+1 < len(r) && unicode.IsLower(r[i+1])
			if prevLower || startsWord {
				b.WriteByte('_')
			}
			b.WriteRune(unicode.ToLower(c))
		default:
			b.WriteRune(c)
		}
	}
	if b.Len() == 0 || !unicode.IsLetter(rune(b.String()[0])) {
		return "f_" + b.String()
	}
	return b.String()
}

// camel turns a Go identifier into a message name: order becomes Order, a_b becomes AB.
func camel(s string) string {
	var b strings.Builder
	up := true
	for _, c := range s {
		switch {
		case c == '_':
			up = true
		case c > unicode.MaxASCII:
			b.WriteString("U" + strconv.FormatInt(int64(c), 16))
			up = false
		case up:
			b.WriteRune(unicode.ToUpper(c))
			up = false
		default:
			b.WriteRune(c)
		}
	}
	if b.Len() == 0 || !unicode.IsLetter(rune(b.String()[0])) {
		return "M" + b.String()
	}
	return b.String()
}

// kindNames has the names of kinds that are not those of Go.
var kindNames = map[ir.Kind]string{
	ir.Complex128: "Complex", ir.Bytes: "Bytes", ir.Time: "Time", ir.Duration: "Duration", ir.BigInt: "BigInt",
	ir.BigFloat: "BigFloat", ir.BigRat: "BigRat", ir.RawJSON: "RawJSON", ir.Number: "Number",
}

// spelling makes a message name, which may still need a number to be unique: Page[Order] is
// PageOrder, map[string][]int is StringIntListMap, *int is OptionalInt.
var spelling = ir.Spelling{
	Base: func(t *ir.Type) string {
		if t.Name != nil && t.Name.Pkg != "" && (t.Kind < ir.Time || t.Kind > ir.Number) {
			return camel(t.Name.Name)
		}
		return cmp.Or(kindNames[t.Kind], ir.Title(t.Kind.String()))
	},
	Slice: "{}List", Array: "{}Array{n}", Map: "{key}{}Map", Pointer: "Optional{}",
}
