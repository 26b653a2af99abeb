package values

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
)

// Fit is what was learned from captured documents: the kinds of values at each path, their
// frequency and their distribution. It is data: it can be saved, read, shown, and drawn from.
//
// Fields are drawn independently of each other, so relations between them (a total that is the sum
// of its lines) are lost.
//
// NOTE, the map: fit.go holds fits and draws values from them; fit_learn.go learns; fit_number.go
// and fit_string.go handle two kinds of leaves; fit_forms.go recognises forms of strings;
// fit_show.go summarises a fit for people.
type Fit struct {
	Format    int    `json:"zmy_fit"` // FitFormat
	Documents int    `json:"documents"`
	Source    string `json:"source"` // file or folder that it was learned from
	Root      *Node  `json:"root"`
}

// FitFormat is the version of the JSON form of fits.
const FitFormat = 1

// Node describes the values at one path.
type Node struct {
	Seen   int        `json:"seen"` // number of values at this path
	Null   int        `json:"null,omitempty"`
	False  int        `json:"false,omitempty"`
	True   int        `json:"true,omitempty"`
	Number *NumberFit `json:"number,omitempty"`
	String *StringFit `json:"string,omitempty"`
	List   *ListFit   `json:"list,omitempty"`
	Object *ObjectFit `json:"object,omitempty"`
}

// ListFit describes the arrays at one path.
type ListFit struct {
	N      int       `json:"n"`
	Length Quantiles `json:"length"`
	Elem   *Node     `json:"elem,omitempty"`
}

// ObjectFit describes the objects at one path. They are either struct-like, with Members, or maps
// with many different keys.
type ObjectFit struct {
	N       int        `json:"n"`
	Members []Member   `json:"members,omitempty"` // in the order first seen
	Keys    *StringFit `json:"keys,omitempty"`    // of maps
	Size    Quantiles  `json:"size,omitempty"`    // of maps
	Elem    *Node      `json:"elem,omitempty"`    // of maps
}

// Member is one member of struct-like objects. Node.Seen of ObjectFit.N objects have it.
type Member struct {
	Name string `json:"name"`
	Node *Node  `json:"node"`
}

// ReadFit reads a fit that was saved as JSON. ok is false if the file holds anything else.
func ReadFit(name string) (f *Fit, ok bool, err error) {
	info, err := os.Stat(name)
	if err != nil || info.IsDir() || !strings.HasSuffix(name, ".json") || info.Size() > mostCaptured {
		return nil, false, nil // the reader of documents reports errors
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, false, err
	}
	f = new(Fit)
	if json.Unmarshal(data, f) != nil || f.Format == 0 || f.Root == nil {
		return nil, false, nil
	}
	if f.Format != FitFormat {
		return nil, true, fmt.Errorf("%s is a fit of form %d; this program knows form %d: learn it anew by -fit", name, f.Format, FitFormat)
	}
	return f, true, nil
}

// drawing is one document being drawn.
type drawing struct {
	r    *rand.Rand
	safe bool // draw only strings that were seen, for types that do not read every string
	out  []byte
}

// Document draws one document. If safe is set, a string is drawn from the examples of seen strings,
// if the fit keeps examples at its path.
func (f *Fit) Document(r *rand.Rand, safe bool) json.RawMessage {
	d := &drawing{r: r, safe: safe}
	d.node(f.Root)
	return d.out
}

// node draws a value of one path.
func (d *drawing) node(n *Node) {
	if n == nil || n.Seen == 0 {
		d.out = append(d.out, "null"...)
		return
	}
	at := d.r.IntN(n.Seen)
	hit := func(count int) bool { at -= count; return at < 0 }
	switch {
	case hit(n.False):
		d.out = append(d.out, "false"...)
	case hit(n.True):
		d.out = append(d.out, "true"...)
	case n.Number != nil && hit(n.Number.N):
		d.out = append(d.out, n.Number.draw(d.r)...)
	case n.String != nil && hit(n.String.N):
		d.text(n.String.draw(d.r, d.safe))
	case n.List != nil && hit(n.List.N):
		d.list(n.List)
	case n.Object != nil && hit(n.Object.N):
		d.object(n.Object)
	default:
		d.out = append(d.out, "null"...)
	}
}

func (d *drawing) text(s string) {
	quoted, err := json.Marshal(s)
	if err != nil {
		panic(err) // every string has a JSON form
	}
	d.out = append(d.out, quoted...)
}

func (d *drawing) list(l *ListFit) {
	d.out = append(d.out, '[')
	for i := range l.Length.drawInt(d.r) {
		if i > 0 {
			d.out = append(d.out, ',')
		}
		d.node(l.Elem)
	}
	d.out = append(d.out, ']')
}

func (d *drawing) object(o *ObjectFit) {
	d.out = append(d.out, '{')
	first := true
	key := func(name string) {
		if !first {
			d.out = append(d.out, ',')
		}
		first = false
		d.text(name)
		d.out = append(d.out, ':')
	}
	for _, m := range o.Members {
		if d.r.IntN(o.N) < m.Node.Seen {
			key(m.Name)
			d.node(m.Node)
		}
	}
	if o.Keys != nil {
		taken := map[string]bool{}
		for want, tries := o.Size.drawInt(d.r), 0; len(taken) < want && tries < 4*want; tries++ {
			if k := o.Keys.draw(d.r, d.safe); !taken[k] {
				taken[k] = true
				key(k)
				d.node(o.Elem)
			}
		}
	}
	d.out = append(d.out, '}')
}

// refusedAtMost is the largest share of the values that may be refused. If more are, the fit was
// not learned from documents of this type.
const refusedAtMost = 0.5

// FromFit draws documents from a fit and unmarshals them with encoding/json. A document that T does
// not read is drawn again, up to eight times, with strings that were seen. If T reads none of them
// the value stays zero and is a Refusal. It is an error if more than eight values are refused, and
// these are more than half of all. Value i depends only on (o.Seed, i).
func FromFit[T any](f *Fit, o Options) ([]T, []Refusal, error) {
	var refused []Refusal
	one := func(i uint64) (v T) {
		for try := uint64(0); ; try++ {
			// A try of value i has a source that no other value uses. So a value does not depend on how
			// often earlier ones were refused.
			doc := f.Document(rand.New(rand.NewPCG(o.Seed, i+try<<40)), try > 0)
			var fresh T
			err := json.Unmarshal(doc, &fresh)
			if err == nil {
				return fresh
			}
			if try == 8 {
				refused = append(refused, Refusal{fmt.Sprintf("value %d", i), strings.TrimPrefix(err.Error(), "json: ")})
				return v
			}
		}
	}
	vals := Fill(o, one)
	if float64(len(refused)) > refusedAtMost*float64(max(len(vals), 16)) {
		return nil, refused, errors.New("fit: " + reflect.TypeFor[T]().String() + " does not read what is drawn: " + refused[0].Why)
	}
	return vals, refused, nil
}
