package fit

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
)

// Drawer draws documents of one subject. Members are drawn independently of each other, so relations
// between them (a total that is the sum of its lines) are lost. It is not safe for concurrent use.
type Drawer struct {
	// Own draws the JSON of a type that reads a form of its own, if the fit knows no text of it. name
	// is the name of the member. Own may be nil.
	Own func(r *rand.Rand, t reflect.Type, name string) (text []byte, ok bool)

	root    *Node
	strings map[*String]*stringForm
	numbers map[*Number]*numberForm
	objects map[*Object]*Object
	keys    map[*Map]*vocabulary

	r    *rand.Rand
	safe bool
	out  []byte
	work int64 // bins, members and keys that were gone through for out
	most int64 // bounds work
}

// NewDrawer returns a drawer of s.
func NewDrawer(s *Subject) *Drawer {
	return &Drawer{root: s.Root, strings: map[*String]*stringForm{}, numbers: map[*Number]*numberForm{}, objects: map[*Object]*Object{},
		keys: map[*Map]*vocabulary{}, most: mostWork}
}

// mostDrawn bounds the size of a document, in bytes: a fit may claim any lengths.
const mostDrawn = 16 << 20

// mostWork bounds the time that a document takes, for a fit may claim a list of a million objects with
// thousands of members that none has. The unit is that of Drawer.work, and takes a nanosecond or less.
const mostWork = 1 << 32

// Document draws one document, for type t if t is not nil. If safe is set, strings of public paths
// are drawn from those that were seen.
func (d *Drawer) Document(r *rand.Rand, t reflect.Type, safe bool) json.RawMessage {
	d.r, d.safe, d.out, d.work = r, safe, nil, 0
	d.node(d.root, place{typ: t, salt: 1})
	return d.out
}

// place is where a value is drawn.
type place struct {
	typ  reflect.Type // may be nil
	name string
	salt uint64 // tells paths apart, for the pools of distinct values
}

func (p place) below(name string, t reflect.Type) place {
	return place{t, name, mix(p.salt ^ hash(name))}
}

// full reports whether the document is as large as it may become, or took as long as it may.
func (d *Drawer) full() bool { return len(d.out) > mostDrawn || d.work > d.most }

// node draws a value of one path.
func (d *Drawer) node(n *Node, p place) { d.nodeOf(n, p, anyKind) }

// nodeOf draws a value of a kind, if there were such values.
func (d *Drawer) nodeOf(n *Node, p place, kind int) {
	if n == nil || d.full() {
		d.out = append(d.out, "null"...)
		return
	}
	for p.typ != nil && p.typ.Kind() == reflect.Pointer {
		p.typ = p.typ.Elem()
	}
	from := len(d.out)
	d.work += 100
	d.any(n, p, kind)
	if string(d.out[from:]) == "null" || !ownForm(p.typ) || d.Own == nil {
		return
	}
	// The type may refuse a text that only has the right length and characters.
	if !reads(p.typ, d.out[from:]) {
		if text, ok := d.Own(d.r, p.typ, p.name); ok {
			d.out = append(d.out[:from], text...)
		}
	}
}

// ownForm reports whether t reads a form of its own that few texts have.
func ownForm(t reflect.Type) bool {
	if t == nil || t == rawType || t.Kind() == reflect.Interface {
		return false
	}
	return takesOwn(t)
}

var rawType = reflect.TypeFor[json.RawMessage]()

// reads reports whether t reads a text. A method that panics refuses it.
func reads(t reflect.Type, text []byte) (ok bool) {
	defer func() { ok = recover() == nil && ok }()
	return json.Unmarshal(text, reflect.New(t).Interface()) == nil
}

// any draws a value of a kind, or of one of the kinds of n.
func (d *Drawer) any(n *Node, p place, kind int) {
	weights := n.weights()
	if kind == anyKind || weights[kind] == 0 {
		kind = d.pick(weights[:])
	}
	switch kind {
	case kindBool:
		d.out = strconv.AppendBool(d.out, d.happens(n.True, weights[kind]) && n.True > 0)
	case kindNumber:
		d.out = append(d.out, d.number(n.Number, n.Distinct, p.salt)...)
	case kindString:
		d.text(d.stringOf(n.String, n.Distinct, p.salt))
	case kindList:
		d.list(n.List, p)
	case kindObject:
		d.object(n.Object, p)
	default:
		d.out = append(d.out, "null"...)
	}
}

// pick draws an index by weight; -1 if all weights are 0.
func (d *Drawer) pick(weights []uint64) int {
	var n uint64
	for _, w := range weights {
		n = sum(&n, w)
	}
	if n == 0 {
		return -1
	}
	at := d.r.Uint64N(n)
	for i, w := range weights {
		if at < w {
			return i
		}
		at -= w
	}
	return len(weights) - 1
}

// happens returns true in n of all cases.
func (d *Drawer) happens(n, all uint64) bool { return n >= all || d.r.Uint64N(all) < n }

func (d *Drawer) text(s string) {
	quoted, err := json.Marshal(s)
	if err != nil {
		panic(err) // every string has a JSON form
	}
	d.out = append(d.out, quoted...)
}

func (d *Drawer) list(l *List, p place) {
	var elem reflect.Type
	if p.typ != nil && (p.typ.Kind() == reflect.Slice || p.typ.Kind() == reflect.Array) {
		elem = p.typ.Elem()
	}
	below := p.below("[]", elem)
	d.work += int64(len(l.Length))
	below.name = p.name
	d.out = append(d.out, '[')
	for i := range l.Length.length(d.r) {
		if d.full() {
			break
		}
		if i > 0 {
			d.out = append(d.out, ',')
		}
		d.node(l.Elem, below)
	}
	d.out = append(d.out, ']')
}

// object draws the members of o, each with its presence, and the entries of a map.
func (d *Drawer) object(o *Object, p place) {
	view, ok := d.objects[o]
	if !ok {
		view = o.View()
		d.objects[o] = view
	}
	o = view
	d.work += int64(len(o.Members))
	d.out = append(d.out, '{')
	first := len(d.out)
	key := func(name string) {
		if len(d.out) > first {
			d.out = append(d.out, ',')
		}
		d.text(name)
		d.out = append(d.out, ':')
	}
	for _, m := range o.Members {
		if m.Node != nil && d.happens(m.Node.Seen, o.N) && m.Node.Seen > 0 {
			key(m.Name)
			d.node(m.Node, p.below(m.Name, memberType(p.typ, m.Name)))
		}
	}
	if o.Map != nil && d.happens(o.Map.N, o.N) {
		d.entries(o.Map, p, key)
	}
	d.out = append(d.out, '}')
}

// memberType returns the type of the member of struct type t, or of the elements of a map.
func memberType(t reflect.Type, name string) reflect.Type {
	switch {
	case t == nil:
	case t.Kind() == reflect.Map:
		return t.Elem()
	case t.Kind() == reflect.Struct:
		fields := fieldsOf(t)
		for i := range fields {
			if strings.EqualFold(fields[i].name, name) {
				if fields[i].quoted {
					return nil
				}
				return fields[i].typ
			}
		}
	}
	return nil
}

// pool returns a source of random numbers for one value of a bin. If the path has few distinct
// values, the bin has a share of them, and the sources repeat.
func (d *Drawer) pool(s *Sketch, n, bin uint64, salt uint64) *rand.Rand {
	distinct := s.Count()
	if s == nil || n == 0 || distinct > 0.7*float64(n) {
		return d.r
	}
	size := max(1, math.Round(distinct*float64(bin)/float64(n)))
	return rand.New(rand.NewPCG(salt, d.r.Uint64N(uint64(size))))
}

// number draws a number as JSON spells it.
func (d *Drawer) number(f *Number, s *Sketch, salt uint64) string {
	if f.Values != nil {
		form := d.numbers[f]
		if form == nil {
			form = numberFormOf(f)
			d.numbers[f] = form
		}
		if form != nil {
			return form.draw(d.r)
		}
	}
	d.work += int64(len(f.Bits) + len(f.Exponent) + len(f.Decimals))
	negative := d.happens(f.Negative, f.N) && f.Negative > 0
	if whole := f.Bits.N(); whole > 0 && d.happens(whole, f.N) {
		b := f.Bits.draw(d.r)
		return integer(d.pool(s, f.N, b.N, mix(salt^uint64(b.At))), b.At, negative)
	}
	b, places := f.Exponent.draw(d.r), f.Decimals.draw(d.r).At
	r := d.pool(s, f.N, b.N, mix(salt^uint64(b.At+1<<20)))
	x := math.Ldexp(0.5+r.Float64()/2, b.At)
	if x > math.MaxFloat64 {
		x = math.MaxFloat64
	}
	if negative {
		x = -x
	}
	switch {
	case places >= scientific:
		return strconv.FormatFloat(x, 'e', -1, 64)
	case float64(places)+float64(b.At)*0.301 > 14:
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	text := []byte(strconv.FormatFloat(x, 'f', places, 64))
	if places > 0 && text[len(text)-1] == '0' { // the last decimal of the shortest form is never 0
		text[len(text)-1] = byte('1' + r.IntN(9))
	}
	return string(text)
}

// integer draws an integer of a length in bits.
func integer(r *rand.Rand, bits int, negative bool) string {
	if bits > 64 {
		text := []byte{byte('1' + r.IntN(9))}
		for range int(float64(bits-1) * math.Log10(2)) {
			text = append(text, byte('0'+r.IntN(10)))
		}
		if negative {
			return "-" + string(text)
		}
		return string(text)
	}
	var x uint64
	if bits > 0 {
		x = 1<<(bits-1) | r.Uint64()>>1>>(64-bits)
	}
	if negative {
		return strconv.FormatInt(^int64(x), 10) // a negative number has 63 bits at most
	}
	return strconv.FormatUint(x, 10)
}
