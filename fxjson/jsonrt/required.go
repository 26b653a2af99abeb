package jsonrt

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// MissingError says that an object lacks members whose fields have struct tag fxjson:"required".
type MissingError struct {
	Path   string   // of the object, as for function Get of package fxjson; "" for the whole document
	Names  []string // of the members that it lacks, in the order of the fields
	Offset int64    // of the object's end
}

func (e *MissingError) Error() string {
	names := make([]string, len(e.Names))
	for i, n := range e.Names {
		names[i] = strconv.Quote(n)
	}
	return fmt.Sprintf("fxjson: %s lacks %s, required of the object that ends at offset %d", cmp.Or(e.Path, "the document"),
		strings.Join(names, ", "), e.Offset)
}

// Require checks the object that ends at i. names are the members that the object must have. Bit
// k%64 of have[k/64] says that names[k] was met. If some are missing, it records the error in merge
// mode, and fails otherwise. A value that is no object, such as null, lacks nothing.
func (d *Dec) Require(i int, have []uint64, names []string) int {
	if d.failed || d.doc[i-1] != '}' {
		return i
	}
	var missing []string
	for n, name := range names {
		if have[n/64]>>(n%64)&1 == 0 {
			if !d.merge {
				return d.fail()
			}
			missing = append(missing, name)
		}
	}
	if missing != nil && d.err == nil {
		d.err = &MissingError{Names: missing, Offset: int64(i)}
	}
	return i
}

// located sets the path of a MissingError in the valid document doc. Errors of other kinds stay as
// they are.
func located(err error, doc []byte) error {
	if e, ok := err.(*MissingError); ok {
		e.Path = pathTo(doc, int(e.Offset))
	}
	return err
}

// pathTo returns the path of the object that ends at index end in the valid document doc.
func pathTo(doc []byte, end int) string {
	type open struct {
		name  string // of the current member
		index int    // of the current element, -1 in an object
	}
	var around []open
	padded := jsonwire.Padded(nil, doc)
	for i := 0; i < end-1; {
		switch padded[i] {
		case '{':
			around = append(around, open{index: -1})
		case '[':
			around = append(around, open{})
		case '}', ']':
			around = around[:len(around)-1]
		case ',':
			if o := &around[len(around)-1]; o.index >= 0 {
				o.index++
			}
		case '"':
			e := jsonwire.SkipString(padded, i)
			if len(around) > 0 && padded[jsonwire.SkipSpace(padded, e)] == ':' {
				name, _ := jsonwire.AppendUnescaped(nil, padded, i)
				around[len(around)-1].name = string(name)
			}
			i = e
			continue
		}
		i++
	}
	path := ""
	for _, o := range around[:len(around)-1] { // without the object itself
		switch {
		case o.index >= 0:
			path += "[" + strconv.Itoa(o.index) + "]"
		case strings.ContainsAny(o.name, ".[") || o.name == "":
			path += `["` + o.name + `"]`
		case path == "":
			path = o.name
		default:
			path += "." + o.name
		}
	}
	return path
}
