package wire

// Verify checks the message b deeply against type root of the table. No read of a verified message
// can fail. It allocates nothing. It accepts exactly the messages that generated unmarshal code
// accepts, except that it has no budget; tests compare the two, and Verify is the reference.
//
// It runs at most twice over a struct: verify_fast.go accepts most messages without building
// errors, and what it does not accept is checked again here, from the message's start, to find the
// error.
//
// Its errors have no path: a Desc has no names of fields, and a path of indices alone would
// mislead.
func Verify(types []Desc, root int, b []byte, maxDepth int) *Error {
	h, err := Head(b)
	if err != nil {
		return err
	}
	v := verifier{types}
	if v.plain(&types[root], b, h, headLen, maxDepth) {
		return nil
	}
	if err = v.body(&types[root], b, h, headLen, maxDepth); err != nil {
		err.Path = ""
	}
	return err
}

// verifier recurses for each level: body checks a struct, and slot the content of a tail or an
// element. Errors have offsets from the start of the slot that a function was given; its caller
// adds where that slot is (Shift, At).
type verifier struct{ types []Desc }

// body checks a struct whose header is h. head is the size of the header in b. left is the number
// of levels that may still be entered, this one included.
func (v verifier) body(t *Desc, b []byte, h uint32, head, left int) *Error {
	if left <= 0 {
		return Fail(ErrDepth, 0)
	}
	if t.Shape == ShapeSparse {
		return v.sparse(t, b, h, left)
	}
	if c := check(b, h, head, t.Head, t.Older); c != OK {
		return failOpen(c, b, h, head)
	}
	s, n, _ := SplitHeader(h)
	pos := head
	for _, f := range t.Fields {
		ft := &v.types[f]
		if ft.Shape != ShapeFixed {
			continue
		}
		if pos+ft.Size > head+s {
			break // an older version ends here
		}
		if off := v.fixed(ft, b[pos:pos+ft.Size]); off >= 0 {
			return Fail(ErrDomain, pos+off)
		}
		pos += ft.Size
	}
	es, at := WordSize(len(b)), head+s
	last := at + es*n // end of the words
	prev := last
	for _, f := range t.Fields {
		ft := &v.types[f]
		if ft.Shape == ShapeFixed {
			continue
		}
		if at == last {
			break
		}
		end := word(b, at, es)
		at += es
		if end > prev {
			if err := v.slot(ft, b[prev:end], left); err != nil {
				return err.Shift(prev)
			}
		}
		prev = end
	}
	return nil
}

// sparse is body for a sparse struct.
func (v verifier) sparse(t *Desc, b []byte, h uint32, left int) *Error {
	o, c := openSparse(b, h, t)
	if c != OK {
		return FailSlot(c, b)
	}
	pos, at, prev := o.at, o.at+o.s, o.first()
	for i, f := range t.Fields {
		ft := &v.types[f]
		if ft.Shape != ShapeFixed || !o.has(i) {
			continue
		}
		if off := v.fixed(ft, b[pos:pos+ft.Size]); off >= 0 {
			return Fail(ErrDomain, pos+off)
		}
		pos += ft.Size
	}
	for i, f := range t.Fields {
		ft := &v.types[f]
		if ft.Shape == ShapeFixed || !o.has(i) {
			continue
		}
		end := word(b, at, o.es)
		at += o.es
		if err := v.slot(ft, b[prev:end], left); err != nil {
			return err.Shift(prev)
		}
		prev = end
	}
	return nil
}

// fixed returns -1 if the bytes b are a valid fixed value, else the offset of the invalid part.
func (v verifier) fixed(t *Desc, b []byte) int {
	at := 0
	for _, f := range t.Fields { // a struct inside a scalar section
		ft := &v.types[f]
		if off := v.fixed(ft, b[at:at+ft.Size]); off >= 0 {
			return at + off
		}
		at += ft.Size
	}
	if domainOK(b[at:], t.Domain) {
		return -1
	}
	return at
}

// slot checks the content b of a slot, which must not be empty. left is the same as for the
// enclosing struct.
func (v verifier) slot(t *Desc, b []byte, left int) *Error {
	c := OK
	switch t.Shape {
	case ShapeString:
		if !Valid(b) {
			c = ErrUTF8
		}
	case ShapeBytes:
	case ShapePacked:
		e := &v.types[t.Elem]
		if len(b)%e.Size != 0 {
			c = ErrLength
		} else if !domainOK(b, e.Domain) {
			return badElem(b, e.Size, e.Domain)
		}
	case ShapeFixedTail:
		e := &v.types[t.Elem]
		switch {
		case len(b) != t.Size:
			c = ErrLength
		case !domainOK(b, e.Domain):
			c = ErrDomain
		case IsZero(b):
			c = ErrZero
		}
	case ShapePtrFixed:
		e := &v.types[t.Elem]
		if len(b) != e.Size {
			c = ErrLength
		} else if !domainOK(b, e.Domain) {
			c = ErrDomain
		}
	case ShapeOpt:
		if b[0] != 1 {
			c = ErrDomain
		} else if len(b) > 1 {
			if err := v.slot(&v.types[t.Elem], b[1:], left); err != nil {
				return err.Shift(1)
			}
		}
	case ShapeBigInt, ShapePtrBigInt:
		c = checkBigInt(b)
		if c == OK && t.Shape == ShapeBigInt && len(b) == 1 {
			c = ErrZero
		}
	case ShapeBigFloat, ShapePtrBigFloat:
		c = checkBigFloat(b)
		if c == OK && t.Shape == ShapeBigFloat && IsZero(b) {
			c = ErrZero
		}
	case ShapeAny:
		return v.any(b, left-1)
	default:
		return v.container(t, b, left)
	}
	if c != OK {
		return Fail(c, 0)
	}
	return nil
}

func (v verifier) container(t *Desc, b []byte, left int) *Error {
	switch t.Shape {
	case ShapeStruct, ShapeSparse:
		h, err := Head(b)
		if err == nil {
			err = v.body(t, b, h, headLen, left-1)
		}
		if err == nil && IsZeroStruct(b) {
			err = Fail(ErrZero, 0)
		}
		return err
	case ShapePtrStruct:
		h, err := Head(b)
		if err == nil {
			err = v.body(&v.types[t.Elem], b, h, headLen, left-1)
		}
		return err
	case ShapeMap:
		return v.mapping(t, b, left)
	case ShapeUnion:
		return v.union(t, b, left)
	}
	e := &v.types[t.Elem]
	l, err := v.open(e, b)
	if err != nil {
		return err
	}
	if t.Shape == ShapeArray && l.N != t.Size {
		return Fail(ErrCount, 0)
	}
	if err := v.elems(e, l, left); err != nil {
		return err
	}
	if t.Shape == ShapeArray && l.Zero() {
		return Fail(ErrZero, 0)
	}
	return nil
}

func (v verifier) union(t *Desc, b []byte, left int) *Error {
	disc, y, err := OpenUnion(b)
	if err != nil || len(y) == 0 {
		return err
	}
	for i, d := range t.Discs {
		if d == disc {
			if err := v.slot(&v.types[t.Fields[i]], y, left); err != nil {
				return err.Shift(2)
			}
		}
	}
	return nil // an arm that this version does not know is kept as it is
}

// open opens a list of elements of type e. It also checks the elements if they are strings.
func (v verifier) open(e *Desc, b []byte) (List, *Error) {
	switch e.Shape {
	case ShapeString:
		return stringColumn(b, false)
	case ShapeStruct:
		return OpenDense(b, e.Head, e.Older)
	}
	return OpenList(b)
}

// elems checks the elements of a list.
func (v verifier) elems(e *Desc, l List, left int) *Error {
	if e.Shape == ShapeString {
		return nil
	}
	for i := range l.N {
		x, off, ok := l.Next()
		if !ok {
			return Fail(ErrEnds, off).At(i, 0)
		}
		var err *Error
		if e.Shape == ShapeStruct {
			err = v.body(e, x, l.Head, 0, left-1)
		} else if len(x) > 0 {
			err = v.slot(e, x, left)
		}
		if err != nil {
			return err.At(i, off)
		}
	}
	return nil
}

func (v verifier) mapping(t *Desc, b []byte, left int) *Error {
	kb, vb, keyEnd, err := OpenMap(b)
	if err != nil {
		return err
	}
	n, err := v.keys(t, kb)
	if err != nil {
		return err.Shift(keyEnd - len(kb))
	}
	if err := v.values(&v.types[t.Elem], vb, n, left); err != nil {
		return err.Shift(keyEnd)
	}
	return nil
}

func (v verifier) keys(t *Desc, b []byte) (int, *Error) {
	k := &v.types[t.Key]
	if k.Shape == ShapeString {
		l, err := stringColumn(b, true)
		return l.N, err
	}
	return OpenKeys(b, k.Size, k.Domain, t.Order)
}

// values checks the column of a map's values: n values of type e.
func (v verifier) values(e *Desc, b []byte, n, left int) *Error {
	if e.Shape != ShapeFixed {
		l, err := v.open(e, b)
		if err == nil && l.N != n {
			err = Fail(ErrCount, 0)
		}
		if err == nil {
			err = v.elems(e, l, left)
		}
		return err
	}
	if e.Size == 0 {
		if len(b) > 0 {
			return Fail(ErrEnds, 0)
		}
		return nil
	}
	vals, err := OpenPacked(b, e.Size)
	switch {
	case err != nil:
	case vals != n:
		err = Fail(ErrCount, 0)
	case !domainOK(b, e.Domain):
		err = badElem(b, e.Size, e.Domain)
	}
	return err
}

// any checks a value of type any. left is the number of levels that may still be entered, this one
// included.
func (v verifier) any(b []byte, left int) *Error {
	if left <= 0 {
		return Fail(ErrDepth, 0)
	}
	kind, p := b[0], b[1:]
	if c := checkAny(kind, p); c != OK {
		return Fail(c, 0)
	}
	if len(p) == 0 {
		return nil
	}
	var err *Error
	switch kind {
	case KindList:
		var l List
		if l, err = OpenList(p); err == nil {
			err = v.elems(&anyDesc, l, left)
		}
	case KindMap:
		err = verifier{anyTypes}.mapping(&anyTypes[0], p, left)
	case KindStringMap:
		err = verifier{anyTypes}.mapping(&anyTypes[1], p, left)
	case KindStrings:
		_, err = stringColumn(p, false)
	}
	return shift1(err)
}

var (
	anyDesc  = Desc{Shape: ShapeAny}
	anyTypes = []Desc{
		{Shape: ShapeMap, Key: 3, Elem: 2},
		{Shape: ShapeMap, Key: 3, Elem: 3},
		{Shape: ShapeAny},
		{Shape: ShapeString},
	}
)
