package fit

import (
	"encoding/json"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits say what a learner keeps. The zero value is for programs that learn from their own traffic.
type Limits struct {
	// MaxBytes bounds the memory of what was learned; 0 means 8 MiB. Beyond it, new paths and names
	// are not learned, and new bins count in their neighbours.
	MaxBytes int
	MaxPaths int // 0 means 4096
	MaxDepth int // nesting; 0 means 32
	MaxParts int // parts of one value that are looked at; 0 means 16,384
	// MaxElements bounds how many elements of a list, evenly spread, and entries of a map are looked
	// at; 0 means 256.
	MaxElements int
	// MaxValues is the number of distinct values that are kept at a public path; 0 means 256.
	MaxValues int
	// Public lists by subject the paths whose values and keys of maps are kept: "status", "items[].kind",
	// "attrs[*]". A path that names a map makes its keys public. The path "*" is every path. The
	// subject is named as in the fit: example.com/shop.Order, or POST /orders request. The subject "*" is
	// every subject.
	Public map[string][]string
	// Names are names of members that are kept where no Go type names them: of JSON objects without a
	// type, and of map[string]any.
	Names []string
}

// Learner learns the shapes of values. It is not safe for concurrent use.
type Learner struct {
	Fit *Fit
	// Valid reports whether a text is one JSON value. [NewLearner] sets it to json.Valid; a faster function
	// that agrees with it may take its place.
	Valid func([]byte) bool

	limit Limits
	left  int // bytes that are left of MaxBytes
	paths int
	parts int // of the present value
	depth int // of the present value
	// declared says that the present value is within a type that the program declares by name. A struct
	// without a name elsewhere may be made from data, by reflect.StructOf.
	declared bool
	names    map[string]bool
}

// NewLearner returns a learner that has learned nothing.
func NewLearner(limit Limits) *Learner {
	for _, d := range []struct {
		field *int
		or    int
	}{{&limit.MaxBytes, 8 << 20}, {&limit.MaxPaths, 4096}, {&limit.MaxDepth, 32}, {&limit.MaxParts, 1 << 14}, {&limit.MaxElements, 256},
		{&limit.MaxValues, 256}} {
		if *d.field == 0 {
			*d.field = d.or
		}
	}
	l := &Learner{Valid: json.Valid, limit: limit, left: limit.MaxBytes, Fit: &Fit{Format: Format}, names: map[string]bool{}}
	for _, n := range limit.Names {
		l.names[n] = true
	}
	return l
}

// rule says what is public at a path and below. nil says that nothing is.
type rule struct {
	public bool
	below  map[string]*rule // by member, "[]" or "[*]"
	all    bool             // everything below as well
}

// rules returns what is public of a subject.
func (l *Learner) rules(subject string) *rule {
	root := &rule{}
	paths := l.limit.Public["*"]
	if subject != "*" {
		paths = slices.Concat(paths, l.limit.Public[subject])
	}
	for _, p := range paths {
		if p == "*" {
			return &rule{public: true, all: true}
		}
		r := root
		for _, step := range steps(p) {
			if r.below == nil {
				r.below = map[string]*rule{}
			}
			if r.below[step] == nil {
				r.below[step] = &rule{}
			}
			r = r.below[step]
		}
		r.public = true
	}
	return root
}

// steps splits a path: items[].kind → items, [], kind.
func steps(path string) (out []string) {
	for part := range strings.SplitSeq(path, ".") {
		for {
			i := max(strings.Index(part, "[]"), strings.Index(part, "[*]"))
			if j := strings.IndexByte(part, '['); j >= 0 && i >= 0 {
				i = j
			}
			if i < 0 {
				break
			}
			if i > 0 {
				out = append(out, part[:i])
			}
			end := i + strings.IndexByte(part[i:], ']') + 1
			out = append(out, part[i:end])
			part = part[end:]
		}
		if part != "" {
			out = append(out, part)
		}
	}
	return out
}

func (r *rule) step(name string) *rule {
	if r == nil || r.all {
		return r
	}
	return r.below[name]
}

func (r *rule) open() bool { return r != nil && r.public }

// Sizes of what a learner allocates, in bytes, rounded up. TestMemory compares them with the heap.
const (
	nodeBytes  = 512 // a node with its number, string, list or object
	binBytes   = 64  // a bin, with what slices reserve
	classBytes = 448
	valueBytes = 160 // a public value or a name, without its text
)

// take reports whether n more bytes may be used, and uses them.
func (l *Learner) take(n int) bool {
	if l.left < n {
		l.Fit.Skipped.Full++
		return false
	}
	l.left -= n
	return true
}

func (l *Learner) grow() bool { return l.take(binBytes) }

// count counts x in h.
func (l *Learner) count(h *Hist, x int) { h.plus(x, 1, l.grow) }

// node returns *n, which it makes if it is nil and there is room. It returns nil if there is not.
func (l *Learner) node(n **Node, r *rule) *Node {
	if *n != nil {
		return *n
	}
	if l.paths >= l.limit.MaxPaths || !l.take(nodeBytes) {
		if l.paths >= l.limit.MaxPaths {
			l.Fit.Skipped.Full++
		}
		return nil
	}
	l.paths++
	*n = &Node{public: r}
	return *n
}

// subject returns the root node of a subject for one more document, or nil if there is no room.
func (l *Learner) subject(name string) *Node {
	l.parts, l.depth, l.declared = 0, 0, false
	s := l.Fit.Subject(name)
	if s == nil {
		if !l.take(valueBytes + len(name)) {
			return nil
		}
		s = &Subject{Name: strings.Clone(name)}
		if l.node(&s.Root, l.rules(name)) == nil {
			return nil
		}
		l.Fit.Subjects = append(l.Fit.Subjects, s)
	}
	s.Documents++
	return s.Root
}

// enter counts a value at n. It reports whether its parts may be looked at.
func (l *Learner) enter(n *Node) bool {
	n.Seen++
	if l.parts++; l.parts > l.limit.MaxParts {
		n.Opaque++
		l.Fit.Skipped.Beyond++
		return false
	}
	return true
}

// deep counts a level of nesting. It reports whether the level is allowed; leave ends it then.
func (l *Learner) deep(n *Node) bool {
	if l.depth >= l.limit.MaxDepth {
		n.Opaque++
		l.Fit.Skipped.Deep++
		return false
	}
	l.depth++
	return true
}

func (l *Learner) leave() { l.depth-- }

func (l *Learner) distinct(s **Sketch, hash uint64) {
	if *s == nil {
		if !l.take(registers) {
			return
		}
		*s = new(Sketch)
	}
	(*s).add(hash)
}

func (n *Node) flag(b bool) {
	if b {
		n.True++
	} else {
		n.False++
	}
}

// text learns a string.
func (l *Learner) text(n *Node, s string) {
	l.distinct(&n.Distinct, hash(s))
	l.string(&n.String, s, n.public.open())
}

func (l *Learner) string(at **String, s string, public bool) {
	if *at == nil {
		*at = &String{Classes: map[string]*Strings{}}
	}
	f := *at
	f.N++
	class, chars, when := classOf(s)
	if readsBase64(s) {
		f.Base64++
	}
	if c := l.class(f, class); c != nil {
		c.N++
		l.count(&c.Length, lengthBin(len(s)))
		c.Chars.add(&chars)
		switch {
		case class == ClassEscaped, class == ClassHTML, class == ClassUnicode, class == ClassInvalid:
			l.steps(&c.Steps, s)
		case class == ClassInteger:
			i, _ := strconv.ParseInt(s, 10, 64) // at most 18 digits
			if c.Numbers == nil {
				c.Numbers = new(Number)
			}
			l.integer(c.Numbers, i)
		case layouts[class] != "":
			c.time(l, when, fraction(s))
		}
	}
	if public && len(s) <= longest && class != ClassInvalid { // JSON cannot carry what is not UTF-8
		l.keep(&f.Values, s)
	}
}

// class returns the description of a class. If there is no room for a new one, it returns nil.
func (l *Learner) class(f *String, class string) *Strings {
	c := f.Classes[class]
	if c == nil && l.take(classBytes) {
		c = new(Strings)
		f.Classes[class] = c
	}
	return c
}

// bytes learns bytes, which JSON writes as base64. Their content is only counted as distinct.
func (l *Learner) bytes(n *Node, b []byte) {
	l.distinct(&n.Distinct, hash(string(b[:min(len(b), hashed)])))
	if n.String == nil {
		n.String = &String{Classes: map[string]*Strings{}}
	}
	n.String.N++
	n.String.Base64++
	if c := l.class(n.String, ClassBase64); c != nil {
		c.N++
		l.count(&c.Length, lengthBin(encodedLen(len(b))))
		c.Chars.add(&Chars{Upper: 1, Lower: 1, Digit: 1})
	}
}

func (c *Strings) time(l *Learner, t time.Time, digits int) {
	if c.Times == nil {
		c.Times = &Times{From: t.Year(), To: t.Year()}
	}
	c.Times.From, c.Times.To = min(c.Times.From, t.Year()), max(c.Times.To, t.Year())
	l.count(&c.Times.Digits, digits)
	if _, offset := t.Zone(); offset != 0 {
		c.Times.Offset++
	}
}

// fraction returns the number of digits after the first point.
func fraction(s string) int {
	_, frac, _ := strings.Cut(s, ".")
	return min(9, len(frac)-len(strings.TrimLeft(frac, "0123456789")))
}

// keep keeps a public value.
func (l *Learner) keep(v **Values, s string) {
	if *v == nil {
		*v = newValues(l.limit.MaxValues)
	}
	if _, ok := (*v).count[s]; !ok && (*v).refuses(s) {
		return
	} else if !ok && !l.take(valueBytes+len(s)) {
		(*v).under = max(1, min((*v).under-1, hash(s))) // the least bound under which all were kept
		return
	}
	(*v).add(s, 1)
	l.left += (*v).freed
	(*v).freed = 0
}

// integer learns an integer.
func (l *Learner) integer(f *Number, x int64) {
	f.N++
	if x < 0 {
		f.Negative++
		x = ^x
	}
	l.count(&f.Bits, bits.Len64(uint64(x)))
}

// float learns a number that is no integer, or not spelled as one.
func (l *Learner) float(f *Number, x float64, decimals int) {
	f.N++
	if math.Signbit(x) {
		f.Negative++
	}
	_, e := math.Frexp(x)
	l.count(&f.Exponent, e)
	l.count(&f.Decimals, decimals)
}

// scientific is the number of decimals that stands for an exponent.
const scientific = 20

func (n *Node) number() *Number {
	if n.Number == nil {
		n.Number = new(Number)
	}
	return n.Number
}

// int, uint and real learn numbers of Go.
func (l *Learner) int(n *Node, x int64) {
	l.distinct(&n.Distinct, mix(uint64(x)+1))
	l.integer(n.number(), x)
	if n.public.open() {
		l.keep(&n.Number.Values, strconv.FormatInt(x, 10))
	}
}

func (l *Learner) uint(n *Node, x uint64) {
	l.distinct(&n.Distinct, mix(x+1))
	f := n.number()
	f.N++
	l.count(&f.Bits, bits.Len64(x))
	if n.public.open() {
		l.keep(&f.Values, strconv.FormatUint(x, 10))
	}
}

// real learns a float by the form in which encoding/json writes it.
func (l *Learner) real(n *Node, x float64, size int) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		n.Opaque++
		return
	}
	format := byte('f')
	if abs := math.Abs(x); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	var buf [64]byte
	l.spelled(n, string(strconv.AppendFloat(buf[:0], x, format, -1, size)))
}

// spelled learns a number of JSON.
func (l *Learner) spelled(n *Node, s string) {
	l.distinct(&n.Distinct, hash(s))
	f := n.number()
	x, _ := strconv.ParseFloat(s, 64) // beyond the range it is infinite, and handled below
	x = max(-math.MaxFloat64, min(x, math.MaxFloat64))
	switch point := strings.IndexByte(s, '.'); {
	case strings.ContainsAny(s, "eE"):
		l.float(f, x, scientific)
	case point >= 0:
		l.float(f, x, min(len(s)-point-1, scientific-1))
	default:
		l.whole(f, s, x)
	}
	if n.public.open() && len(s) <= longest {
		l.keep(&f.Values, s)
	}
}

// whole learns an integer as JSON spells it. Beyond 64 bits its length is taken from the float.
func (l *Learner) whole(f *Number, s string, x float64) {
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		l.integer(f, i)
		return
	}
	f.N++
	size := 0
	if u, err := strconv.ParseUint(s, 10, 64); err == nil {
		size = bits.Len64(u)
	} else {
		_, size = math.Frexp(x)
		size = max(size, 65)
	}
	if s[0] == '-' {
		f.Negative++
		size = max(size, 65)
	}
	l.count(&f.Bits, size)
}

// member returns the node of a member, which it makes if there is room, or nil. at is the member's
// place in its type; below 0, new members come last.
func (l *Learner) member(n *Node, name string, at int) *Node {
	o := n.Object
	if o.index == nil {
		o.index = map[string]int{}
		for i, m := range o.Members {
			o.index[m.Name] = i
		}
	}
	if i, ok := o.index[name]; ok {
		if at >= 0 {
			o.Members[i].At = min(o.Members[i].At, at)
		}
		return o.Members[i].Node
	}
	if !utf8.ValidString(name) || !l.take(valueBytes+len(name)) { // JSON cannot carry other names
		return nil
	}
	if at < 0 {
		at = len(o.Members)
	}
	m := Member{Name: strings.Clone(name), At: at}
	if l.node(&m.Node, n.public.step(name)) == nil {
		return nil
	}
	o.index[m.Name] = len(o.Members)
	o.Members = append(o.Members, m)
	return m.Node
}

// object returns the description of objects at n, for one more object.
func (n *Node) object() *Object {
	if n.Object == nil {
		n.Object = new(Object)
	}
	n.Object.N++
	return n.Object
}

// list returns the description of lists, for one more list of n elements.
func (l *Learner) list(n *Node, length int) *List {
	if n.List == nil {
		n.List = new(List)
	}
	n.List.N++
	l.count(&n.List.Length, lengthBin(length))
	return n.List
}

// stride says which elements of a list are looked at: every stride-th one.
func (l *Learner) stride(n int) int {
	return max(1, n/l.limit.MaxElements+min(1, n%l.limit.MaxElements))
}

// pointed returns the type that a pointer type leads to. A type such as type P *P leads to itself, and
// is returned.
func pointed(t reflect.Type) reflect.Type {
	for range 64 {
		if t.Kind() != reflect.Pointer {
			break
		}
		t = t.Elem()
	}
	return t
}

// typeName returns the name of a type with its package path. A struct without a name is "struct": it may
// be made from data by reflect.StructOf, and then its fields and tags are content.
func typeName(t reflect.Type) string {
	t = pointed(t)
	switch k := t.Kind(); {
	case t.PkgPath() != "" && t.Name() != "":
		return t.PkgPath() + "." + t.Name()
	case t.Name() != "", k == reflect.Interface:
		return t.String()
	case k == reflect.Slice:
		return "[]" + typeName(t.Elem())
	case k == reflect.Array:
		return "[" + strconv.Itoa(t.Len()) + "]" + typeName(t.Elem())
	case k == reflect.Map:
		return "map[" + typeName(t.Key()) + "]" + typeName(t.Elem())
	default:
		return k.String()
	}
}

// sorted puts the members into their order.
func (o *Object) sorted() {
	slices.SortFunc(o.Members, byPlace)
	o.index = nil
}

func byPlace(a, b Member) int {
	if a.At != b.At {
		return a.At - b.At
	}
	return strings.Compare(a.Name, b.Name)
}
