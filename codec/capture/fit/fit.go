// Package fit describes the shape of values: for each path how often there is a value, of which
// kind, how long, how large, and how many different ones. It learns the shape from Go values and
// from JSON, writes it as JSON, adds up shapes that several processes have learned, and draws new
// documents from it.
//
// A fit has two levels. At a path that is not public it holds counts and histograms only: no text,
// no number, no key of a map. At a public path it also holds values that were seen, with their
// counts. Names of members are kept if a Go type or the caller names them.
//
// The source of this package is also compiled into the workers of zmy lab. So it imports only the
// standard library, and nothing of net.
//
// NOTE, the map: fit.go has the data; learn.go learns, from Go values by value.go and fields.go, and
// from JSON by text.go; classes.go classifies strings; hist.go, sketch.go and values.go hold
// histograms, the count of distinct values, and public values; merge.go adds fits; file.go reads and
// writes them; draw.go draws, with drawstring.go where no text is known, and with form*.go where
// values are public; view.go tells records from maps; show.go describes a fit for people.
package fit

// Format is the version of the JSON form.
const Format = 3

// Fit is the shape of the values of a process, or of several.
type Fit struct {
	Format   int        `json:"zmy_fit"` // Format
	Subjects []*Subject `json:"subjects"`
	Skipped  Skipped    `json:"skipped,omitzero"`
}

// Subject is one kind of document: a Go type, or the bodies of one route.
type Subject struct {
	Name      string   `json:"name"` // example.com/shop.Order; or POST /orders request
	Documents uint64   `json:"documents"`
	Sources   []string `json:"sources,omitempty"` // files that it was learned from, sorted
	Root      *Node    `json:"root"`
}

// Skipped counts what was sampled but not learned, or not in full.
type Skipped struct {
	Busy   uint64 `json:"busy,omitempty"`   // values that met another one being learned
	Failed uint64 `json:"failed,omitempty"` // values whose own methods failed or panicked, and JSON with an error
	Full   uint64 `json:"full,omitempty"`   // parts for which the memory did not suffice
	Deep   uint64 `json:"deep,omitempty"`   // parts that were nested too deeply
	Beyond uint64 `json:"beyond,omitempty"` // parts of values that were too large
}

// Node describes the values at one path.
type Node struct {
	Seen     uint64  `json:"seen"` // number of values at this path
	Null     uint64  `json:"null,omitempty"`
	False    uint64  `json:"false,omitempty"`
	True     uint64  `json:"true,omitempty"`
	Opaque   uint64  `json:"opaque,omitempty"` // values that cannot be described: interfaces with methods, too deep
	Number   *Number `json:"number,omitempty"`
	String   *String `json:"string,omitempty"`
	List     *List   `json:"list,omitempty"`
	Object   *Object `json:"object,omitempty"`
	Distinct *Sketch `json:"distinct,omitempty"` // of numbers and strings

	public *rule
}

// Number describes numbers. An integer is a number that is spelled without point and exponent.
type Number struct {
	N        uint64  `json:"n"`
	Negative uint64  `json:"negative,omitempty"`
	Bits     Hist    `json:"bits,omitempty"`     // integers: length of x, or of -x-1, in bits
	Exponent Hist    `json:"exponent,omitempty"` // others: e of ±0.5…1 × 2^e
	Decimals Hist    `json:"decimals,omitempty"` // others: digits after the point; 20 with an exponent
	Values   *Values `json:"values,omitempty"`   // as spelled; at public paths
}

// String describes strings.
type String struct {
	N       uint64              `json:"n"`
	Classes map[string]*Strings `json:"classes"`
	Base64  uint64              `json:"base64,omitempty"` // strings that can be read as base64, of any class
	Values  *Values             `json:"values,omitempty"` // at public paths
}

// Strings describes strings of one class. The counts of characters are sums over all strings.
type Strings struct {
	N       uint64  `json:"n"`
	Length  Hist    `json:"length"` // bytes
	Chars   Chars   `json:"chars,omitzero"`
	Steps   Hist    `json:"steps,omitempty"`   // from one character that is escaped or not ASCII to the next, see steps.go
	Numbers *Number `json:"numbers,omitempty"` // class integer
	Times   *Times  `json:"times,omitempty"`   // classes of times
}

// Chars counts characters. A string beyond 4 KiB counts by its first 4 KiB.
type Chars struct {
	Lower   uint64 `json:"lower,omitempty"`
	Upper   uint64 `json:"upper,omitempty"`
	Digit   uint64 `json:"digit,omitempty"`
	Space   uint64 `json:"space,omitempty"`
	Other   uint64 `json:"other,omitempty"`   // printable ASCII
	Quote   uint64 `json:"quote,omitempty"`   // "
	Slash   uint64 `json:"slash,omitempty"`   // \
	Line    uint64 `json:"line,omitempty"`    // line breaks, tabs and others that JSON escapes by two bytes
	Control uint64 `json:"control,omitempty"` // control characters that JSON escapes by six bytes
	HTML    uint64 `json:"html,omitempty"`    // < > &
	Two     uint64 `json:"two,omitempty"`     // characters of two bytes in UTF-8
	Three   uint64 `json:"three,omitempty"`
	Four    uint64 `json:"four,omitempty"`
	Invalid uint64 `json:"invalid,omitempty"` // bytes that are not UTF-8
}

// Times describes times by their precision and years.
type Times struct {
	Digits Hist   `json:"digits"`           // digits of the fraction of a second
	Offset uint64 `json:"offset,omitempty"` // times with an offset such as +02:00
	From   int    `json:"from"`             // least year
	To     int    `json:"to"`               // largest year
}

// List describes arrays.
type List struct {
	N      uint64 `json:"n"`
	Length Hist   `json:"length"`
	Elem   *Node  `json:"elem,omitempty"`
}

// Object describes objects: the members whose names are known, and the entries of maps.
type Object struct {
	N       uint64   `json:"n"`
	Members []Member `json:"members,omitempty"` // by At, then by name
	Size    Hist     `json:"size,omitempty"`    // number of members, of objects that have Members
	Map     *Map     `json:"map,omitempty"`
	Unknown uint64   `json:"unknown,omitempty"` // members of JSON objects that their Go type has no field for

	index map[string]int // of Members; nil until the learner needs it
}

// Member is a member of objects. Node.Seen of Object.N objects have it.
type Member struct {
	Name string `json:"name"`
	At   int    `json:"at"` // least place in a type, or among the names of documents
	Node *Node  `json:"node"`
}

// Map describes objects whose keys are content.
type Map struct {
	N        uint64  `json:"n"` // objects with such keys, or without any member
	Size     Hist    `json:"size"`
	Keys     *String `json:"keys,omitempty"`
	Distinct *Sketch `json:"distinct,omitempty"` // of keys
	Sets     *Sketch `json:"sets,omitempty"`     // of the sets of keys of an object: few for records
	Kinds    *Sketch `json:"kinds,omitempty"`    // of keys with the kind of their element: as many as keys for records
	Elem     *Node   `json:"elem,omitempty"`
}

// Subject returns the subject of that name, or nil.
func (f *Fit) Subject(name string) *Subject {
	for _, s := range f.Subjects {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// Documents returns the number of documents of all subjects.
func (f *Fit) Documents() (n uint64) {
	for _, s := range f.Subjects {
		n += s.Documents
	}
	return n
}
