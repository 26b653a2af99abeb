package wire

// Verify checks the message b deeply against type root of the table: once it
// has passed, no read of it can fail. It allocates nothing. It accepts exactly
// what generated unmarshal code accepts, budget aside, and is the slow twin
// that such code is tested against.
func Verify(types []Desc, root int, b []byte, maxDepth int) *Error {
	h, err := Head(b)
	if err != nil {
		return err
	}
	v := verifier{types}
	return v.body(&types[root], b, h, headLen, maxDepth)
}

type verifier struct{ types []Desc }

// body checks a struct whose header is h; left is how many more levels may be
// entered, this one included.
func (v verifier) body(t *Desc, b []byte, h uint32, head, left int) *Error {
	if left <= 0 {
		return Fail(ErrDepth, 0)
	}
	if c := check(b, h, head, t.Head, t.Older); c != OK {
		return failOpen(c, b, h, head)
	}
	s, n, _ := SplitHeader(h)
	es := WordSize(len(b))
	pos, at := head, head+s
	prev := at + es*n
	for _, f := range t.Fields {
		ft := &v.types[f]
		if ft.Shape == ShapeFixed {
			if pos+ft.Size > head+s {
				break // an older version ends here
			}
			if !domainOK(b[pos:pos+ft.Size], ft.Domain) {
				return Fail(ErrDomain, pos)
			}
			pos += ft.Size
			continue
		}
		if at == head+s+es*n {
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

// slot checks the content of a slot, which is not empty; left is that of the
// struct around it.
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
			c = ErrDomain
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
	case ShapeStruct:
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
	}
	l, err := v.list(&v.types[t.Elem], b, left)
	if err != nil || t.Shape != ShapeArray {
		return err
	}
	if l.N != t.Size {
		return Fail(ErrCount, 0)
	}
	if l.Zero() {
		return Fail(ErrZero, 0)
	}
	return nil
}

// list checks a list of elements of type e and returns it.
func (v verifier) list(e *Desc, b []byte, left int) (List, *Error) {
	if e.Shape == ShapeString {
		return stringColumn(b, false)
	}
	var l List
	var c Code
	if e.Shape == ShapeStruct {
		l, c = openDense(b, e.Head, e.Older)
	} else {
		l, c = openWords(b, 0, 0)
	}
	if c != OK {
		return l, Fail(c, 0)
	}
	it := l
	for i := range l.N {
		x, off, ok := it.Next()
		if !ok {
			return l, Fail(ErrEnds, off).At(i, 0)
		}
		var err *Error
		if e.Shape == ShapeStruct {
			err = v.body(e, x, l.Head, 0, left-1)
		} else if len(x) > 0 {
			err = v.slot(e, x, left)
		}
		if err != nil {
			return l, err.At(i, off)
		}
	}
	return l, nil
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
	vals, err := v.column(&v.types[t.Elem], vb, n, left)
	if err != nil {
		return err.Shift(keyEnd)
	}
	if n != vals {
		return Fail(ErrCount, keyEnd)
	}
	return nil
}

func (v verifier) keys(t *Desc, b []byte) (int, *Error) {
	k := &v.types[t.Key]
	if k.Shape == ShapeString {
		l, err := stringColumn(b, true)
		return l.N, err
	}
	n, err := OpenPacked(b, k.Size)
	if err != nil {
		return 0, err
	}
	if !domainOK(b, k.Domain) {
		return 0, Fail(ErrDomain, 0)
	}
	for i := k.Size; i < len(b); i += k.Size {
		if !KeyLess(b[i-k.Size:i], b[i:i+k.Size], t.Order) {
			return 0, Fail(ErrKeyOrder, i)
		}
	}
	return n, nil
}

// column checks a column of values and returns their count; n is that of keys.
func (v verifier) column(e *Desc, b []byte, n, left int) (int, *Error) {
	if e.Shape != ShapeFixed {
		l, err := v.list(e, b, left)
		return l.N, err
	}
	if e.Size == 0 {
		if len(b) > 0 {
			return 0, Fail(ErrEnds, 0)
		}
		return n, nil
	}
	vals, err := OpenPacked(b, e.Size)
	if err == nil && !domainOK(b, e.Domain) {
		err = Fail(ErrDomain, 0)
	}
	return vals, err
}

// any checks a value of type any; left counts this level too.
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
		_, err = v.list(&anyDesc, p, left)
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
