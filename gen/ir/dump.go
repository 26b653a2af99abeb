package ir

import (
	"bytes"
	"encoding/json"
)

// Dump returns the package as indented JSON, for tests and for reading. Types refer to each other
// by ID. The output for a package is always the same.
func Dump(p *Package) []byte {
	d := dumpPackage{Path: p.Path, Name: p.Name, Build: p.Build, Names: p.Names}
	for _, t := range p.Roots {
		d.Roots = append(d.Roots, t.ID)
	}
	for _, t := range p.Types {
		d.Types = append(d.Types, dumpOf(t))
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(d); err != nil {
		panic(err) // strings, numbers and slices always have a JSON form
	}
	return out.Bytes()
}

type dumpPackage struct {
	Path  string     `json:"path"`
	Name  string     `json:"name"`
	Build string     `json:"build,omitempty"`
	Names []string   `json:"names,omitempty"`
	Roots []int      `json:"roots"`
	Types []dumpType `json:"types"`
}

type dumpType struct {
	ID      int         `json:"id"`
	Kind    string      `json:"kind"`
	Pkg     string      `json:"pkg,omitempty"`
	Name    string      `json:"name,omitempty"`
	Args    []int       `json:"args,omitempty"`
	Key     *int        `json:"key,omitempty"`
	Elem    *int        `json:"elem,omitempty"`
	Len     *int64      `json:"len,omitempty"`
	Fields  []dumpField `json:"fields,omitempty"`
	Size    int64       `json:"size"`
	Align   int64       `json:"align"`
	Hooks   []string    `json:"hooks,omitempty"`
	Compare bool        `json:"compare,omitempty"`
	Doc     string      `json:"doc,omitempty"`
	Dirs    []string    `json:"dirs,omitempty"`
	Pos     string      `json:"pos,omitempty"`
}

type dumpField struct {
	Name     string `json:"name"`
	Type     int    `json:"type"`
	Tag      string `json:"tag,omitempty"`
	Embedded bool   `json:"embedded,omitempty"`
	Offset   int64  `json:"offset"`
	Doc      string `json:"doc,omitempty"`
	Pos      string `json:"pos"`
}

func dumpOf(t *Type) dumpType {
	d := dumpType{
		ID: t.ID, Kind: t.Kind.String(), Key: idOf(t.Key), Elem: idOf(t.Elem),
		Size: t.Size, Align: t.Align, Hooks: t.Hooks.names(), Compare: t.Compare, Pos: t.Pos.String(),
	}
	if t.Kind == Array {
		d.Len = &t.Len
	}
	if n := t.Name; n != nil {
		d.Pkg, d.Name, d.Doc, d.Dirs = n.Pkg, n.Name, n.Doc, n.Dirs
		for _, arg := range n.Args {
			d.Args = append(d.Args, arg.ID)
		}
	}
	for _, f := range t.Fields {
		d.Fields = append(d.Fields, dumpField{
			Name: f.Name, Type: f.Type.ID, Tag: f.Tag, Embedded: f.Embedded, Offset: f.Offset, Doc: f.Doc, Pos: f.Pos.String(),
		})
	}
	return d
}

func idOf(t *Type) *int {
	if t == nil {
		return nil
	}
	return &t.ID
}

// hookNames are the names of the bits of Hooks, in order. A star marks a method of *T.
var hookNames = [...]string{
	"MarshalJSON", "*MarshalJSON", "*UnmarshalJSON",
	"MarshalText", "*MarshalText", "*UnmarshalText",
	"MarshalBinary", "*MarshalBinary", "*UnmarshalBinary",
	"IsZero", "*IsZero",
	"AppendZMY", "*AppendZMY", "*UnmarshalZMY", "*AfterUnmarshalZMY",
	"UnmarshalJSON", "UnmarshalText", "UnmarshalBinary",
	"AppendText", "*AppendText", "AppendBinary", "*AppendBinary",
}

func (h Hooks) names() []string {
	var out []string
	for i, name := range hookNames {
		if h&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return out
}
