package gen

import (
	"errors"
	"fmt"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/contract"
	"github.com/zmylab/zmy/gen/emit/jsonschema"
	"github.com/zmylab/zmy/gen/emit/tstypes"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/load"
)

// jsonEmitters have the languages that describe the JSON of types: the end of the file's name, and
// the file itself.
var jsonEmitters = map[string]struct {
	end  string
	emit func(c *ir.JSONContract, by, id string) ([]byte, error)
}{
	"jsonschema": {".schema.json", func(c *ir.JSONContract, by, id string) ([]byte, error) {
		return jsonschema.Emit(c, jsonschema.Options{By: by, ID: id})
	}},
	"ts-types": {".d.ts", func(c *ir.JSONContract, by, _ string) ([]byte, error) {
		return tstypes.Emit(c, tstypes.Options{By: by}), nil
	}},
}

// JSONLangs returns those of [Langs] that describe the JSON of types and not their messages.
func JSONLangs() []string { return slices.Sorted(maps.Keys(jsonEmitters)) }

// JSONContract plans the JSON contract of types of the package, given as expressions in its scope.
// It returns the package's description with it. If the types are at fault, the error is an
// ir.Problems.
func JSONContract(p *load.Pkg, exprs []string) (*ir.Package, *ir.JSONContract, error) {
	k, err := p.Build(exprs...)
	if err != nil {
		return nil, nil, err
	}
	plan, err := check.JSON(k)
	if err != nil {
		return nil, nil, err
	}
	return k, check.Contract(k, plan), nil
}

// JSONSurface lists the exported structs of a package that have a JSON form. The others, which hold
// a channel or a function, are problems in skipped.
func JSONSurface(p *load.Pkg) (exprs []string, skipped ir.Problems, err error) {
	for _, c := range p.Candidates() {
		if !token.IsExported(c.Name) {
			continue
		}
		var ps ir.Problems
		switch _, _, err := JSONContract(p, []string{c.Name}); {
		case errors.As(err, &ps):
			skipped = append(skipped, ps...)
		case err != nil:
			return nil, nil, err
		default:
			exprs = append(exprs, c.Name)
		}
	}
	return exprs, skipped, nil
}

// RecordJSON makes a record of the JSON of the types that surface names, or of [JSONSurface] if it
// names none. It returns nil if there is no such type.
func RecordJSON(p *load.Pkg, surface []string) (*contract.File, error) {
	exprs := surface
	if surface == nil {
		var err error
		if exprs, _, err = JSONSurface(p); err != nil || len(exprs) == 0 {
			return nil, err
		}
	}
	k, c, err := JSONContract(p, exprs)
	if err != nil {
		return nil, err
	}
	f := contract.Of(p.Path, c, exprs, k.Roots)
	f.Surface = surface
	return f, f.Ignores().Err()
}

// ReadJSONLock reads the zmy.json.lock of a package. It returns nil without an error if there is
// none.
func ReadJSONLock(p *load.Pkg) (*contract.File, error) {
	text, err := os.ReadFile(filepath.Join(p.Dir, contract.Name))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return contract.Parse(text)
}

// JSONLockFile returns a File that writes f as the zmy.json.lock of the package.
func JSONLockFile(p *load.Pkg, f *contract.File) File {
	return File{Path: filepath.Join(p.Dir, contract.Name), Src: f.Text(), lock: true}
}

// CompareJSON compares the JSON of a package's types with the record old. A type of the surface
// that is gone is a change, not an error.
func CompareJSON(p *load.Pkg, old *contract.File) (now *contract.File, changes []contract.Change, err error) {
	surface := old.Surface
	if surface != nil {
		surface = slices.DeleteFunc(slices.Clone(surface), func(expr string) bool { return !p.IsType(expr) })
	}
	if surface == nil || len(surface) > 0 {
		now, err = RecordJSON(p, surface)
	}
	if now == nil {
		now = &contract.File{Surface: surface}
	}
	if err != nil {
		return nil, nil, err
	}
	return now, contract.Compare(old, now), nil
}

// jsonLang generates a file for one of JSONLangs. Its name is the package's, or the last element of
// opt.Package. If that is a URI, it is the $id of a schema.
func jsonLang(p *load.Pkg, exprs []string, opt LangOptions) ([]File, error) {
	switch {
	case opt.Output != "":
		return nil, fmt.Errorf("-output names a file of Go; the folder for %s is given by -o, the file's name by -package", opt.Lang)
	case opt.Serde || opt.NonExhaustive:
		return nil, errors.New("-serde and -non-exhaustive are for -lang=rust")
	case opt.Derive:
		return nil, fmt.Errorf("-derive numbers the fields of messages; JSON, which -lang=%s describes, has names", opt.Lang)
	}
	_, c, err := JSONContract(p, exprs)
	if err != nil {
		return nil, err
	}
	l := jsonEmitters[opt.Lang]
	name, id := p.Name, ""
	if opt.Package != "" {
		if strings.Contains(opt.Package, "://") {
			id = opt.Package
		}
		name = strings.TrimSuffix(opt.Package[strings.LastIndex(opt.Package, "/")+1:], l.end)
	}
	if name == "" || strings.ContainsAny(name, `\:*?"<>|#`) || strings.HasPrefix(name, ".") {
		return nil, fmt.Errorf("-package=%s ends in no file name; write shop, or for a schema also https://example.org/shop.schema.json",
			opt.Package)
	}
	src, err := l.emit(c, opt.by("zmy gen", exprs), id)
	if err != nil {
		return nil, err
	}
	return []File{{Path: filepath.Join(opt.Dir, name+l.end), Src: src, foreign: true}}, nil
}
