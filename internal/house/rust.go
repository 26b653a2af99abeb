package house

import (
	"fmt"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"text/scanner"
)

// RustModules reads the sources of a Rust crate and returns its modules in the order in which
// lib.rs declares them. A module is a file of src together with the files in the folder of the same
// name. Path is the name of the module. Imports are the modules whose items it names, by crate:: or
// super:: and through re-exports of lib.rs. It returns an error for a path that it cannot resolve,
// so that no use is missed.
//
// Uses in test modules count. Calls of methods do not: an impl may be in a module above its type.
func RustModules(src fs.FS) ([]Package, error) {
	text, err := fs.ReadFile(src, "lib.rs")
	if err != nil {
		return nil, err
	}
	root, modules, err := rustRoot(rustTokens(string(text)))
	if err != nil {
		return nil, fmt.Errorf("lib.rs: %w", err)
	}
	err = fs.WalkDir(src, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".rs" || name == "lib.rs" {
			return err
		}
		text, err := fs.ReadFile(src, name)
		if err != nil {
			return err
		}
		at := strings.Split(strings.TrimSuffix(name, ".rs"), "/")
		i := slices.IndexFunc(modules, func(m Package) bool { return m.Path == at[0] })
		if i < 0 {
			return fmt.Errorf("%s: lib.rs declares no module %s", name, at[0])
		}
		m := &modules[i]
		for _, item := range rustUses(rustTokens(string(text)), len(at)) {
			used, ok := root[item]
			if !ok {
				return fmt.Errorf("%s: names crate::%s, which lib.rs has neither as a module nor as a re-export", name, item)
			}
			if used != m.Path && !slices.Contains(m.Imports, used) {
				m.Imports = append(m.Imports, used)
			}
		}
		return nil
	})
	return modules, err
}

// CheckLayers returns a violation for each use of a module that is declared below its user.
func CheckLayers(modules []Package) []Violation {
	var out []Violation
	above := map[string]bool{}
	for _, m := range modules {
		for _, used := range m.Imports {
			if !above[used] {
				out = append(out, Violation{m.Path, "uses " + used + ", which lib.rs declares below it", "the modules of rust/zmy form layers"})
			}
		}
		above[m.Path] = true
	}
	return sorted(out)
}

// rustChar matches character literals, which the scanner would confuse with lifetimes.
var rustChar = regexp.MustCompile(`'([^'\\\n]|\\[^\n']+|\\')'`)

// rustTokens returns the identifiers and the punctuation of a file, with "::" as one token.
func rustTokens(text string) []string {
	var s scanner.Scanner
	s.Init(strings.NewReader(rustChar.ReplaceAllLiteralString(text, "0")))
	s.Mode = scanner.ScanIdents | scanner.ScanStrings | scanner.ScanComments | scanner.SkipComments
	s.Error = func(*scanner.Scanner, string) {} // the scanner reports strings of several lines as errors
	var out []string
	for t := s.Scan(); t != scanner.EOF; t = s.Scan() {
		last := len(out) - 1
		switch {
		case t == scanner.String:
		case t == ':' && last >= 0 && out[last] == ":":
			out[last] = "::"
		default:
			out = append(out, s.TokenText())
		}
	}
	return out
}

// rustRoot returns the module of each name that crate:: has, modules and re-exports, and the
// modules that have files. Modules whose code is in lib.rs itself are for users of the crate, and
// are left out: no file of the crate may name their items.
func rustRoot(tokens []string) (root map[string]string, modules []Package, err error) {
	root = map[string]string{}
	depth := 0
	for i, t := range tokens {
		switch t {
		case "{":
			depth++
		case "}":
			depth--
		case "mod":
			if depth == 0 && i+2 < len(tokens) && tokens[i+2] == ";" {
				root[tokens[i+1]] = tokens[i+1]
				modules = append(modules, Package{Path: tokens[i+1]})
			}
		case "use":
			if depth > 0 {
				continue
			}
			for _, p := range rustPaths(tokens[i+1:]) {
				from, item := p[0], p[len(p)-1]
				if len(p) < 2 || item == "*" || item == "self" {
					return nil, nil, fmt.Errorf("use %s: re-exports are to name a module and an item", strings.Join(p, "::"))
				}
				root[item] = from
			}
		}
	}
	for item, from := range root {
		if root[from] != from {
			return nil, nil, fmt.Errorf("%s is from %s, which is no module", item, from)
		}
	}
	return root, modules, nil
}

// rustUses returns the items of the crate's root that a file names. level is the number of modules
// that the file is below the root.
func rustUses(tokens []string, level int) []string {
	var out []string
	inline := []bool{} // for each open brace: whether it is that of a module
	for i, t := range tokens {
		before := ""
		if i > 0 {
			before = tokens[i-1]
		}
		switch {
		case t == "{":
			mod := i > 1 && tokens[i-2] == "mod"
			inline = append(inline, mod)
			if mod {
				level++
			}
		case t == "}" && len(inline) > 0:
			if inline[len(inline)-1] {
				level--
			}
			inline = inline[:len(inline)-1]
		case (t == "crate" || t == "super") && before != "::":
			for _, p := range rustPaths(tokens[i:]) {
				at := 1
				if t == "super" {
					at = slices.IndexFunc(p, func(part string) bool { return part != "super" })
				}
				if (t == "crate" || at == level) && at < len(p) {
					out = append(out, p[at])
				}
			}
		}
	}
	return out
}

// rustPaths returns the paths of the path or use tree with which tokens begin. A name that follows
// "as" is one more part.
func rustPaths(tokens []string) [][]string {
	t := rustTree{rest: tokens}
	t.read(nil)
	return t.paths
}

type rustTree struct {
	rest  []string
	paths [][]string
}

func (t *rustTree) next() string {
	first := t.peek()
	t.rest = t.rest[min(1, len(t.rest)):]
	return first
}

func (t *rustTree) peek() string {
	if len(t.rest) == 0 {
		return ""
	}
	return t.rest[0]
}

// read reads the tree that follows path.
func (t *rustTree) read(path []string) {
	switch part := t.next(); {
	case part == "{":
		for t.peek() != "}" && t.peek() != "" {
			t.read(path)
			if t.peek() == "," {
				t.next()
			}
		}
		t.next()
	case part != "*" && !token.IsIdentifier(part) && !token.IsKeyword(part): // generic arguments
		t.paths = append(t.paths, path)
	default:
		path = append(slices.Clip(path), part)
		switch t.peek() {
		case "::":
			t.next()
			t.read(path)
			return
		case "as":
			t.next()
			path = append(path, t.next())
		}
		t.paths = append(t.paths, path)
	}
}
