// Package gen generates Go source for the types of a package: JSON by
// encoding/json's rules, and the ZMY native format.
//
// Each function works in the same three steps: it describes the types (load), decides every fact
// about the output (check) and prints the output (emit). Only [File.Write] writes to disk.
package gen

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/zmylab/zmy/gen/emit/jsonschema"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/gen/place"
)

// File is a generated file of a package.
type File struct {
	Path    string // Go: absolute, in the package's folder; other languages: in the folder that the user gave
	Src     []byte // formatted
	lock    bool   // this is zmy.lock, which Write may replace although it has no header of generated code
	foreign bool   // for another language: Write creates missing folders
	edited  bool   // a source file of the user with changes, which Write may replace
	notes   ir.Problems
}

// Foreign reports whether the file is for another language than Go.
func (f File) Foreign() bool { return f.foreign }

// Notes lists the fields that messages do not carry as the Go type has them: they are left out or
// carried as JSON. Notes are not errors.
func (f File) Notes() ir.Problems { return f.notes }

// Options set the command in the output's header and the output's file name.
type Options struct {
	By     string // the command that the header shows: "fxjson -type=Order"; "" builds it from the types
	Output string // name of the file in the package's folder; "" derives it from the first type
}

// by returns the command that the header shows.
func (o Options) by(command string, exprs []string) string {
	if o.By != "" {
		return o.By
	}
	return command + " -type=" + strings.Join(exprs, ",")
}

// path returns the path of the output file.
func (o Options) path(p *load.Pkg, exprs []string, suffix string) string {
	if o.Output != "" {
		return filepath.Join(p.Dir, o.Output)
	}
	return filepath.Join(p.Dir, OutputName(exprs[0], suffix))
}

// file returns the output file with the source src. It returns an error if the file's name or its
// declarations clash with the package or with the go command. The compiler would find that too, but
// only after the file has been written, and its message would be about code that nobody wrote.
func (o Options) file(p *load.Pkg, k *ir.Package, exprs []string, suffix string, src []byte) (File, error) {
	f := File{Path: o.path(p, exprs, suffix), Src: src}
	if n := len(filepath.Base(f.Path)); n > maxFileName {
		return File{}, fmt.Errorf("the name of the output, made from %s, has %d bytes, and file systems take %d; give a name with "+
			"-output", exprs[0], n, maxFileName)
	}
	if err := load.Misnamed(f.Path, k); err != nil {
		return File{}, err
	}
	if err := shadowed(k, src); err != nil {
		return File{}, err
	}
	if err := append(p.Written(src), p.Circles(src)...).Err(); err != nil {
		return File{}, err
	}
	if what, where, taken := p.Taken(src, f.Path); taken {
		return File{}, fmt.Errorf("%s would declare %s, which %s does already; name all types in one command, -type=%s,…, or remove "+
			"%[3]s if it is left over",
			filepath.Base(f.Path), what, where, strings.Join(exprs, ","))
	}
	return f, nil
}

// maxFileName is the limit of nearly all file systems for a file's name, in bytes.
const maxFileName = 255

// OutputName returns the name of the file for a type: UserSession and "json" give
// user_session_json.go, Page[Order] gives page_order_json.go.
func OutputName(expr, suffix string) string {
	words := strings.FieldsFunc(expr, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	for i, w := range words {
		words[i] = ir.Snake(w)
	}
	name := strings.Join(append(words, suffix), "_") + ".go"
	return strings.TrimLeft(name, "_") // the go command ignores files whose names begin with _
}

// Stale reports whether the file on disk is missing or differs.
func (f File) Stale() (bool, error) {
	old, err := os.ReadFile(f.Path)
	if os.IsNotExist(err) {
		return true, nil
	}
	return !bytes.Equal(old, f.Src), err
}

// Write replaces the file on disk atomically. It leaves a file that is up to date untouched. It
// refuses to replace a file that is not generated code, and to write into folders that belong to
// the go command: see [place.Check].
func (f File) Write() error {
	if f.edited { // the file that a link leads to, not the link
		path, err := filepath.EvalSymlinks(f.Path)
		if err != nil {
			return err
		}
		f.Path = path
	}
	old, err := os.ReadFile(f.Path)
	switch {
	case err == nil && bytes.Equal(old, f.Src):
		return nil
	case err == nil && len(old) > 0 && !f.lock && !f.edited && !generated(old):
		other := "another name with -output"
		if f.foreign {
			other = "another folder with -o"
		}
		return fmt.Errorf("%s is not generated code and is left as it is; choose %s", filepath.Base(f.Path), other)
	case err != nil && !os.IsNotExist(err):
		return err
	}
	if err := place.Check(filepath.Dir(f.Path)); err != nil {
		return err
	}
	if f.foreign {
		if err := os.MkdirAll(filepath.Dir(f.Path), 0o777); err != nil {
			return err
		}
	}
	tmp, err := os.CreateTemp(filepath.Dir(f.Path), ".gen-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // after the rename the name is gone and Remove fails, which is fine
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(f.Path); err == nil && f.edited {
		mode = info.Mode().Perm()
	}
	_, err = tmp.Write(f.Src)
	if err := cmp.Or(err, tmp.Chmod(mode), tmp.Close()); err != nil { // Chmod and Close are called even if Write has failed
		return err
	}
	return os.Rename(tmp.Name(), f.Path)
}

// generated reports whether src begins as files of generators do.
func generated(src []byte) bool {
	return bytes.HasPrefix(src, []byte("// Code generated ")) || bytes.HasPrefix(src, []byte(jsonschema.Begin))
}

// SplitTypes cuts the value of -type at commas outside of brackets: "Pair[string,int],Order" gives
// two types.
func SplitTypes(list string) ([]string, error) {
	var out []string
	depth, start := 0, 0
	add := func(s string) error {
		s = strings.TrimSpace(s)
		if s == "" {
			return fmt.Errorf("-type=%s: a type is missing between the commas", list)
		}
		out = append(out, s)
		return nil
	}
	for i, c := range list {
		switch c {
		case '[':
			depth++
		case ']':
			depth--
		case ',':
			if depth == 0 {
				if err := add(list[start:i]); err != nil {
					return nil, err
				}
				start = i + 1
			}
		}
	}
	if list == "" {
		return nil, nil
	}
	return out, add(list[start:])
}
