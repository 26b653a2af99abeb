package ir

import "strings"

// A JSONContract says which documents the types of a package write and read by the rules of
// encoding/json (v1): what a reader in another language must know. check.Contract makes it from a
// [JSONPlan]. The lock file zmy.json.lock records it, and the emitters for JSON Schema and TypeScript
// print it.
type JSONContract struct {
	Types []*JSONType // every type that has a name in the contract, in the order in which it is reached
	Roots []*JSONForm // forms of the roots, in their order
}

// JSONType is a type that has a name in the contract: a struct, or another type that the source
// names, unless its form has a name of its own (time.Time).
type JSONType struct {
	Name       string // an identifier, different for each type: Order, PageOrder, StockItem
	Type       *Type
	Holder     string        // of a struct without a name: Order:Address, after the first member found to have it; else ""
	Form       *JSONForm     // of a type that is not written as an object; it is never null
	Members    []*JSONMember // of an object, in the order in which they are written
	Rest       *JSONForm     // form of the members that match no other: struct tag fxjson:"inline" or "unknown"; nil for none
	Values     []JSONValue   // the constants of the type, if it is an enumeration
	Writes     JSONMethod    // what writes values of the type; then Form is FormCode or FormText
	Reads      JSONMethod    // what reads them
	Doc        string        // of the declaration
	Deprecated string        // what its comment says behind "Deprecated:"; a blank if it says nothing more
}

// Object reports whether values of t are written as objects with known members.
func (t *JSONType) Object() bool { return t.Form == nil }

// JSONMethod is a method with which a type reads or writes itself. The zero value is none.
type JSONMethod struct {
	Name    string // MarshalJSON
	Pointer bool   // only *T has it: encoding/json calls it where it can take the address of the value
	Owner   *Type  // the embedded type that the method is promoted from; nil if the type declares it itself
}

// Note says for readers that the method decides the form. It is empty without a method.
func (m JSONMethod) Note() string {
	switch m.Name {
	case "":
		return ""
	case "MarshalText":
		return "A string that the method MarshalText of the Go type writes."
	}
	return "The method " + m.Name + " of the Go type decides the form."
}

// Constants names the constants of an enumeration of integers: 1 Paid, 2 Sent.
func (t *JSONType) Constants() string {
	var list []string
	for _, v := range t.Values {
		if v.Name != "" {
			list = append(list, v.Text+" "+v.Name)
		}
	}
	return strings.Join(list, ", ")
}

// JSONValue is a constant of an enumeration.
type JSONValue struct {
	Name string // of the constant; "" for strings
	Text string // the value as JSON
}

// JSONMember is a member of an object.
type JSONMember struct {
	*JSONField
	Form       *JSONForm
	Empty      bool // left out if it is empty: option omitempty, of a type on which it has an effect
	Missing    bool // left out if a pointer to an embedded struct is nil
	Doc        string
	Deprecated string
}

// Optional reports whether the member may be absent from what is written.
func (m *JSONMember) Optional() bool { return m.Empty || m.OmitZero || m.Missing }

// Path returns the names of the Go fields that lead to the member: Base.ID.
func (m *JSONMember) Path() (path string) {
	for _, s := range m.Steps {
		path += s.Field.Name + "."
	}
	return path + m.Field.Name
}

// JSONForm is what a value looks like in JSON at one place.
type JSONForm struct {
	Kind   JSONFormKind
	Null   bool      // may be null
	Quoted bool      // a scalar inside a string: option string
	Zero   string    // the zero value, as JSON, of an enumeration that has no constant for it; "" if it is not written here
	Maybe  bool      // the type writes itself only where encoding/json can take its address: it may have any form
	Bits   int       // FormInt, FormUint and FormFloat: 8 to 64
	Type   *JSONType // FormRef
	Key    *JSONForm // FormMap: a string, or an integer in a string
	Elem   *JSONForm // FormList, FormArray and FormMap
	Len    int64     // FormArray
}

// Underlying returns the form behind the names of types. It may be a FormRef to an object.
func (f *JSONForm) Underlying() *JSONForm {
	for f.Kind == FormRef && f.Type.Form != nil {
		f = f.Type.Form
	}
	return f
}

// JSONFormKind is the kind of a form.
type JSONFormKind uint8

// The kinds of forms.
const (
	FormAny      JSONFormKind = iota // whatever the value in an interface gives
	FormRaw                          // json.RawMessage
	FormBool                         //
	FormString                       //
	FormInt                          // a number within the range of Bits
	FormUint                         //
	FormFloat                        //
	FormNumber                       // json.Number: any number
	FormBigInt                       // an integer without limits
	FormBigFloat                     // a number in a string
	FormBigRat                       // a fraction in a string
	FormBytes                        // bytes in base64
	FormTime                         // a time in the form of RFC 3339
	FormList                         // an array of any length
	FormArray                        // an array of Len elements
	FormMap                          // an object whose members have one form
	FormRef                          // a type of the contract
	FormText                         // a string that MarshalText writes
	FormCode                         // what MarshalJSON writes
)
