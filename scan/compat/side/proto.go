// Package side runs in a worker: it marshals and unmarshals what the coordinator asks for, and
// reports what came out. Its source is also compiled into the temporary module of each worker, so it
// imports only the standard library and the packages of the lab that workers have.
//
// NOTE, the map: proto.go has the commands; side.go answers them; cases.go enumerates the values;
// lines.go spells a decoded value; cut.go takes parts of a value away, copy.go copies it first.
package side

// Commands, beside worker.CmdValues, which comes first.
const (
	CmdList  = "compat-list"  // argument List, answer Listed
	CmdProbe = "compat-probe" // argument Probe, answer Outcomes
)

// List is the argument of CmdList.
type List struct {
	// Taken says of each adversarial case whether the first side took it. The cases depend on these
	// answers, so the second side is told those of the first. Nil: the side decides for itself.
	Taken []bool `json:"taken,omitempty"`
}

// Listed describes the values that a side has. Their order is: drawn values, the dense value if
// there is one, adversarial cases.
type Listed struct {
	Drawn int    `json:"drawn"`
	Dense bool   `json:"dense"`           // there is a dense value
	Why   string `json:"why,omitempty"`   // why there is none
	Cases []Case `json:"cases,omitempty"` // adversarial cases
	Names []string
	Pins  []string // pins that Item.Pins may name
	Sums  []uint64 // digest of each value: both sides must have the same
	Shape uint64   // digest of the type
	// Untested lists places that hold nothing in any value: see values.Untested.
	Untested []string
}

// Case is an adversarial case.
type Case struct {
	Name  string `json:"name"`  // "float64 NaN"
	Where string `json:"where"` // "Items[0].Price and 3 more"
	Taken bool   `json:"taken"`
}

// Forms in which a value is passed to the codec.
const (
	Pointer = ""      // json.Marshal(&v)
	ByValue = "value" // json.Marshal(v)
)

// Item is one call: it marshals a value, or unmarshals Doc.
type Item struct {
	Read  bool     `json:"read,omitempty"` // unmarshal
	Value int      `json:"v,omitempty"`
	Cuts  []string `json:"cuts,omitempty"` // parts of the value that are taken away first, see Places
	Form  string   `json:"form,omitempty"`

	Doc  []byte `json:"doc,omitempty"`
	Into []byte `json:"into,omitempty"` // document that the variable was read from before

	Pins []string `json:"pins,omitempty"` // options that are set
	Full bool     `json:"full,omitempty"` // return the bytes, or the value, and not only their digest
	List bool     `json:"list,omitempty"` // return the parts that can be cut
}

// Probe is the argument of CmdProbe.
type Probe struct {
	File string `json:"file"` // JSON array of Items
}

// Outcome is what one call did.
type Outcome struct {
	Sum      uint64   `json:"sum,omitempty"` // digest of the bytes or of the value; 0 after an error
	Len      int      `json:"len,omitempty"` // of the bytes
	Err      string   `json:"err,omitempty"` // text of the error
	Types    []string `json:"types,omitempty"`
	Panic    bool     `json:"panic,omitempty"`
	Dead     bool     `json:"dead,omitempty"`     // the process died; set by the coordinator
	Unstable bool     `json:"unstable,omitempty"` // repeated calls gave different results

	Out    []byte   `json:"out,omitempty"`
	Other  []byte   `json:"other,omitempty"` // bytes of a later call, if Unstable
	Lines  []string `json:"lines,omitempty"`
	Value  string   `json:"value,omitempty"` // the value in Go syntax
	Places []string `json:"places,omitempty"`
}

// OK reports whether the call returned no error.
func (o *Outcome) OK() bool { return o.Err == "" && !o.Panic && !o.Dead }
