// Package realtypes measures types that were not made for the lab: types of well-known public Go
// modules, at pinned versions. For each type it makes a module as a user would, runs the lab on
// generated values and on documents, and follows the steps that the lab prints. Package oracle then
// judges the generated code.
//
// NOTE, the map: realtypes.go holds the list, module.go makes modules, measure.go runs the lab,
// adopt.go follows its advice, judge.go says what is wrong, goals.go compares the results with the
// goals, table.go draws docs/results/realtypes.md. types.json is the list. documents/NAME.ndjson
// are written by hand, after the public documentation of each type. modules/NAME.{mod,sum} pin what
// is fetched. This repository contains no fetched files.
package realtypes

import (
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"strings"
)

//go:embed types.json documents modules
var files embed.FS

// Type is one type of a public module.
type Type struct {
	Name    string `json:"name"`    // name of its documents and of its pinned module: pod
	Module  string `json:"module"`  // the module that declares the type
	Version string `json:"version"` // of that module
	// Imports are the import specs that Decl needs, without quotes: corev1 k8s.io/api/core/v1.
	Imports []string `json:"imports"`
	Decl    string   `json:"decl"` // the user's declaration: type Pod corev1.Pod
	// Never says why encoding/json can never carry the type. It is "" for most types.
	Never string `json:"never,omitempty"`
	Short bool   `json:"short,omitempty"` // one of the few that continuous integration runs
}

// Subject returns the name of the declared type.
func (t *Type) Subject() string { return strings.Fields(t.Decl)[1] }

// Shown returns the type with its package's name, or the declared name if the type is written out
// as a struct.
func (t *Type) Shown() string {
	if f := strings.Fields(t.Decl); len(f) == 3 {
		return f[2]
	}
	return t.Subject() + " struct{…}"
}

// source returns the file of the user's package; generate are its go:generate lines.
func (t *Type) source(generate []string) []byte {
	var b strings.Builder
	b.WriteString("// Package subject declares a type of another module.\npackage subject\n\nimport (\n")
	for _, spec := range t.Imports {
		name, dir, named := strings.Cut(spec, " ")
		if !named {
			fmt.Fprintf(&b, "\t%q\n", name)
			continue
		}
		fmt.Fprintf(&b, "\t%s %q\n", name, dir)
	}
	b.WriteString(")\n\n")
	for _, line := range generate {
		b.WriteString(line + "\n")
	}
	return []byte(b.String() + "\n" + t.Decl + "\n")
}

// Types returns the list.
func Types() ([]*Type, error) {
	text, err := files.ReadFile("types.json")
	if err != nil {
		return nil, err
	}
	var all []*Type
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("types.json: %w", err)
	}
	return all, nil
}

// documents returns the JSON documents, one per line.
func (t *Type) documents() ([]byte, error) {
	return files.ReadFile(path.Join("documents", t.Name+".ndjson"))
}

// pinned returns the go.mod and go.sum of a module that requires the type's module.
func (t *Type) pinned() (mod, sum []byte, err error) {
	if mod, err = files.ReadFile(path.Join("modules", t.Name+".mod")); err != nil {
		return nil, nil, err
	}
	sum, err = files.ReadFile(path.Join("modules", t.Name+".sum"))
	return mod, sum, err
}
