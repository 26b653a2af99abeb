package jsontypes

import (
	"encoding"
	"encoding/json"
	"errors"
	"strconv"
)

// NilJSON and NilText have methods that may be called on nil pointers.
type (
	NilJSON string
	NilText string
)

// MarshalJSON distinguishes nil from a value.
func (n *NilJSON) MarshalJSON() ([]byte, error) {
	if n == nil {
		return []byte(`"nil!"`), nil
	}
	return []byte(`"x"`), nil
}

// MarshalText distinguishes nil from a value.
func (n *NilText) MarshalText() ([]byte, error) {
	if n == nil {
		return []byte("nil!"), nil
	}
	return []byte("x"), nil
}

// ZeroAsker is an interface with the method that option omitzero calls.
type ZeroAsker interface{ IsZero() bool }

// Level is a ZeroAsker by pointer only, which panics for nil.
type Level struct{ N int }

// IsZero dereferences.
func (l *Level) IsZero() bool { return l.N == 0 }

// Named is an empty interface with a name.
type Named interface{}

// NamedAlias is an alias of the empty interface.
type NamedAlias = any

// Holders have interfaces that hold pointers which may be nil.
type Holders struct {
	JSON    json.Marshaler
	Text    encoding.TextMarshaler
	JSONs   []json.Marshaler
	Texts   map[string]encoding.TextMarshaler
	Unnamed interface{ MarshalJSON() ([]byte, error) }
	List    []interface{ MarshalText() ([]byte, error) }
	Zero    ZeroAsker `json:"zero,omitzero"`
	Both    ZeroAsker `json:"both,omitempty,omitzero"`
	Named   Named
	Nameds  []Named
	ByName  map[string]Named
	NamedAlias
}

// OnlyOut has only MarshalJSON, OnlyIn has only UnmarshalJSON, ByPtr has MarshalJSON on its pointer
// only, and Both has both text methods.
type (
	OnlyOut int
	OnlyIn  int
	ByPtr   int
	Both    string
)

// MarshalJSON writes an object.
func (o OnlyOut) MarshalJSON() ([]byte, error) {
	return []byte(`{"out":` + strconv.Itoa(int(o)) + `}`), nil
}

// UnmarshalJSON counts bytes.
func (o *OnlyIn) UnmarshalJSON(b []byte) error {
	*o += OnlyIn(len(b))
	return nil
}

// MarshalJSON is called where the value has an address.
func (p *ByPtr) MarshalJSON() ([]byte, error) { return []byte(`"by pointer"`), nil }

// MarshalText writes the string after the word both.
func (s Both) MarshalText() ([]byte, error) { return []byte("both " + string(s)), nil }

// UnmarshalText takes all.
func (s *Both) UnmarshalText(b []byte) error {
	*s = Both(b)
	return nil
}

// QuotedMethods have methods and the option string.
type QuotedMethods struct {
	Out     OnlyOut  `json:"out,string"`
	In      OnlyIn   `json:"in,string"`
	ByPtr   ByPtr    `json:"byPtr,string"`
	Both    Both     `json:"both,string"`
	PtrOut  *OnlyOut `json:"ptrOut,string"`
	PtrIn   *OnlyIn  `json:"ptrIn,string"`
	PtrPtr  *ByPtr   `json:"ptrPtr,string"`
	PtrBoth *Both    `json:"ptrBoth,string"`
}

// Inner has a field whose method wants an address.
type Inner struct {
	P ByPtr
	L [2]ByPtr
}

// InnerAlias is an alias of Inner.
type InnerAlias = Inner

// Behind embeds Inner by pointer, Beside by value.
type (
	Behind struct {
		*Inner
		N ByPtr
	}
	Beside struct {
		InnerAlias
		N ByPtr
	}
)

// KeysOut has maps whose keys can be marshaled but not unmarshaled.
type KeysOut struct {
	Ptr  map[*NilText]int
	Text map[OutKey]int
	Any  map[encoding.TextMarshaler]string
}

// OutKey is a key that can only be marshaled.
type OutKey struct{ A, B int8 }

// MarshalText writes both numbers.
func (k OutKey) MarshalText() ([]byte, error) {
	return []byte(strconv.Itoa(int(k.A)) + "/" + strconv.Itoa(int(k.B))), nil
}

// Kept keeps what its method is given.
type Kept struct{ Raw []byte }

// UnmarshalJSON does not copy.
func (k *Kept) UnmarshalJSON(b []byte) error {
	k.Raw = b
	return nil
}

// Keepers has no strings: only its Kept fields may share memory with the document.
type Keepers struct {
	A, B Kept
	L    []Kept
	Ptr  *Kept
}

// Stopped has fields with methods after a field that cannot be marshaled. None of these methods is
// called.
type Stopped struct {
	First  Refused
	Value  Fragile   `json:"value,omitzero"`
	Ptr    *Frail    `json:"ptr,omitzero"`
	Addr   Frail     `json:"addr,omitzero"`
	Holder ZeroAsker `json:"holder,omitzero"`
}

// Refused cannot be marshaled.
type Refused struct{}

// MarshalJSON fails.
func (Refused) MarshalJSON() ([]byte, error) { return nil, errors.New("refused") }

// Fragile and Frail panic for nil.
type (
	Fragile struct{ N *int }
	Frail   struct{ N *int }
)

// IsZero dereferences.
func (f Fragile) IsZero() bool { return *f.N == 0 }

// IsZero dereferences.
func (f *Frail) IsZero() bool { return *f.N == 0 }

// Bare embeds unexported structs under names of their own. Reflection may neither set them nor call
// their methods. Bare itself has none of their methods, since both promote the same name.
type Bare struct {
	bare     `json:"value"`
	*barePtr `json:"ptr,omitempty"`
	N        int
}

type (
	bare    struct{ A int }
	barePtr struct{ B int }
)

// NewBare returns a Bare that holds something.
func NewBare() Bare { return Bare{bare{1}, &barePtr{2}, 3} }

// UnmarshalJSON is not called.
func (b *bare) UnmarshalJSON([]byte) error { return errors.New("called") }

// UnmarshalJSON is not called.
func (b *barePtr) UnmarshalJSON([]byte) error { return errors.New("called") }
