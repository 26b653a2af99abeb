package zmytype

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/wire"
)

// Tag is a parsed struct tag zmy, as in zmy:"3,nilable".
type Tag struct {
	Set        bool // the tag has a number
	Skip       bool // the tag is "-"
	Number     int
	Nilable    bool
	Deprecated bool
	Inline     bool
	Time       TimeForm
}

// tagOptions are the options that may follow the number, sorted.
var tagOptions = [...]struct {
	word string
	set  func(*Tag)
}{
	{"deprecated", func(t *Tag) { t.Deprecated = true }},
	{"inline", func(t *Tag) { t.Inline = true }},
	{"nilable", func(t *Tag) { t.Nilable = true }},
	{"unixnano", func(t *Tag) { t.Time = UnixNano }},
	{"zone", func(t *Tag) { t.Time = Zone }},
}

// option sets the option called word, and reports whether there is one of that name.
func (t *Tag) option(word string) bool {
	for _, o := range tagOptions {
		if o.word == word {
			o.set(t)
			return true
		}
	}
	return word == ""
}

// tagOptionWords returns the names of the options as a text.
func tagOptionWords() string {
	var words []string
	for _, o := range tagOptions {
		words = append(words, o.word)
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// parseTag parses the struct tag zmy of a field.
func parseTag(tag reflect.StructTag) (t Tag, refusals []refusal) {
	text, ok := tag.Lookup("zmy")
	if !ok {
		return t, nil
	}
	if text == "-" {
		t.Skip = true
		return t, nil
	}
	t.Set = true
	number, opts, _ := strings.Cut(text, ",")
	if t.Number, ok = fieldNumber(number); !ok {
		refusals = append(refusals, refusal{"bad field number " + strconv.Quote(number) + " in struct tag zmy",
			`numbers start at 0: zmy:"0"`})
	}
	for opt := range strings.SplitSeq(opts, ",") {
		if !t.option(opt) {
			refusals = append(refusals, refusal{"struct tag zmy has no option " + strconv.Quote(opt), "options are " + tagOptionWords()})
		}
	}
	return t, refusals
}

// fieldNumber parses the number of a field, which has no sign.
func fieldNumber(text string) (int, bool) {
	n, err := strconv.ParseUint(text, 10, 16)
	return int(n), err == nil
}

// Numbered reports whether a field has a struct tag zmy.
func Numbered(tag reflect.StructTag) bool {
	_, ok := tag.Lookup("zmy")
	return ok
}

// directive returns the directive in the struct tag of a blank field, as in _ struct{}
// `zmy:"reserved 4 string"`. It returns "" for any other field.
func (f *Field[F, T]) directive() string {
	if f.Name != "_" {
		return ""
	}
	text := f.Tag.Get("zmy")
	if text == "-" {
		return ""
	}
	return text
}

// directiveWords has the names of the directives, sorted, and what each applies to.
var directiveWords = [...]struct{ word, is string }{
	{"limits", forStructs},
	{"lint-ignore", ""}, // applies to anything
	{"reserved", forStructs},
	{"sentinel", forIntegers},
	{"sparse", forStructs},
	{"union", forInterfaces},
}

const (
	forStructs    = "structs"
	forIntegers   = "integers with named values"
	forInterfaces = "interfaces"
)

// Harmless reports whether a directive leaves the encoding of a struct unchanged.
func Harmless(directive string) bool {
	word, _, _ := strings.Cut(directive, " ")
	return word == "zmy:limits" || word == "zmy:lint-ignore"
}

// directives reads the directives of a struct. They are comments before its declaration, and struct
// tags of blank fields, which a blind source sees too.
func (c *compiler[T, F]) directives(z *Type[T, F], at place[T, F]) {
	for _, d := range c.src.Directives(z.Type) {
		c.directive(z, d, at.over(z.Type))
	}
	fields := c.fields(z.Type)
	for i := range fields {
		f := &fields[i]
		for _, d := range f.Dirs {
			c.knows(d, "fields", c.at(f))
		}
		text := f.directive()
		if text == "" {
			continue
		}
		if !c.bare(f.Type) || c.src.IsNamed(f.Type) {
			c.problem(c.at(f), "write _ struct{}", "a directive stands at a blank field of type struct{}, not %s", c.src.Name(f.Type))
			continue
		}
		c.directive(z, "zmy:"+text, c.at(f))
	}
}

func (c *compiler[T, F]) directive(z *Type[T, F], d string, at place[T, F]) {
	name, args, _ := strings.Cut(d, " ")
	switch {
	case !c.knows(d, forStructs, at):
	case name == "zmy:reserved":
		c.reserved(z, args, at)
	case name == "zmy:sparse" && args != "":
		c.problem(at, "write //zmy:sparse", "directive //zmy:sparse takes no words, not %q", args)
	case name == "zmy:sparse":
		z.Shape = ShapeSparse
	case name == "zmy:limits":
		c.limits(z, args, at)
	}
}

// strayDirectives reports directives at a named type other than a struct if they are unknown or
// apply to other types.
func (c *compiler[T, F]) strayDirectives(t T) {
	kind, what := c.src.KindOf(t), "this type"
	switch {
	case kind == Struct:
		return
	case kind == Interface || kind == Any:
		what = forInterfaces
	case kind.IsInt() || kind.IsUint():
		what = forIntegers
	}
	for _, d := range c.src.Directives(t) {
		c.knows(d, what, place[T, F]{typ: t})
	}
}

// knows reports whether d is a known directive that applies to types of the sort what, such as
// forStructs. If it is not, knows adds a problem.
func (c *compiler[T, F]) knows(d, what string, at place[T, F]) bool {
	name, _, _ := strings.Cut(d, " ")
	word := strings.TrimPrefix(name, "zmy:")
	var words []string
	for _, d := range directiveWords {
		if d.word == word {
			if d.is != "" && d.is != what {
				c.problem(at, "remove it", "directive //%s is for %s", name, d.is)
				return false
			}
			return true
		}
		words = append(words, d.word)
	}
	hint := "remove it; there are //zmy:" + strings.Join(words, ", //zmy:")
	if c.opt.Near != nil {
		if near := c.opt.Near(word, words); len(near) > 0 {
			hint = "did you mean //zmy:" + near[0] + "?"
		}
	}
	c.problem(at, hint, "unknown directive //%s", name)
	return false
}

// Limits are the limits in a struct's directive, as in //zmy:limits MaxWire=1048576. They tell
// readers which limits the options of writers set. 0 means the default.
type Limits struct{ MaxWire, MaxRaw, MaxDepth uint32 }

// limits parses a directive //zmy:limits.
func (c *compiler[T, F]) limits(z *Type[T, F], args string, at place[T, F]) {
	limits := map[string]*uint32{"MaxWire": &z.Limits.MaxWire, "MaxRaw": &z.Limits.MaxRaw, "MaxDepth": &z.Limits.MaxDepth}
	for word := range strings.FieldsSeq(args) {
		name, value, _ := strings.Cut(word, "=")
		n, err := strconv.ParseUint(value, 10, 31)
		if err != nil || n == 0 || limits[name] == nil {
			c.problem(at, "write it as in //zmy:limits MaxWire=1048576; there are also MaxRaw and MaxDepth",
				"bad word %q in directive //zmy:limits", word)
			continue
		}
		*limits[name] = uint32(n)
	}
}

// reserved parses a directive //zmy:reserved N type of a struct. It adds a reserved field with
// number N: the Go struct no longer has the field, but its place in messages stays.
func (c *compiler[T, F]) reserved(z *Type[T, F], args string, at place[T, F]) {
	number, text, _ := strings.Cut(strings.TrimSpace(args), " ")
	n, ok := fieldNumber(number)
	if !ok {
		c.problem(at, "write it as in //zmy:reserved 4 string", "bad directive //zmy:reserved %s", args)
		return
	}
	words, size, ok := reservedWords(strings.TrimSpace(text))
	if !ok {
		c.problem(at, "write string, int64, time.Time, time.Duration, [16]byte … or []T, map[K]V, *T, struct, any",
			"directive //zmy:reserved has no type %q", text)
		return
	}
	z.Fields = append(z.Fields, gone[T, F](n, words, size))
}

// gone returns a field that the Go struct no longer has. size is its size in bytes among the
// scalars, 0 for a tail.
func gone[T, F comparable](number int, words string, size int) *Place[T, F] {
	t := &Type[T, F]{Kind: Bytes, Shape: ShapeBytes, Words: words}
	if size > 0 {
		t.Shape, t.Size = ShapeFixed, size
	}
	return &Place[T, F]{Number: number, Type: t}
}

// reservedWords parses the type in a reservation. It returns the type's canonical text and its size
// in bytes among the scalars, 0 for a tail. It does not parse what is in a list, map or pointer.
func reservedWords(text string) (words string, size int, ok bool) {
	if k := scalarOf(text); k != Invalid {
		return k.scalarName(), k.fixedSize(), true
	}
	switch text {
	case "time.Time,zone":
		return "time", wire.ZoneTimeLen, true
	case "time.Time,unixnano":
		return "time", 8, true
	case "json.Number":
		return "string", 0, true
	case "[]byte":
		return "bytes", 0, true
	case "json.RawMessage":
		return "bytes:json", 0, true
	case "string", "any", "struct":
		return text, 0, true
	}
	for _, prefix := range []string{"[]", "map[", "*"} {
		if len(text) > len(prefix) && strings.HasPrefix(text, prefix) {
			return text, 0, true
		}
	}
	length, elem, ok := strings.Cut(text, "]")
	if !ok || !strings.HasPrefix(length, "[") {
		return "", 0, false
	}
	n, err := strconv.Atoi(length[1:])
	words, size, ok = reservedWords(elem)
	switch {
	case err != nil || n < 1 || n > 1<<20 || !ok:
		return "", 0, false
	case size == 0 || n*size > wire.MaxFixed:
		return text, 0, true
	}
	return fmt.Sprintf("[%d]%s", n, words), n * size, true
}

// scalarOf returns the kind of the scalar type with this Go name, Invalid for other texts.
func scalarOf(text string) Kind {
	switch text {
	case "byte":
		return Uint8
	case "rune":
		return Int32
	}
	for k := Bool; k <= Duration; k++ {
		if k.fixedSize() > 0 && k.String() == text {
			return k
		}
	}
	return Invalid
}
