package adopt

import (
	"bytes"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/cli"
	genload "github.com/zmylab/zmy/gen/load"
)

// errAgain is returned by a change that has refused a type meanwhile.
var errAgain = errors.New("a type was refused")

// fits returns the reason why messages of a type do not become ZMY, "" if they can.
// named says that the caller has named the reader.
func (j *job) fits(n *types.Named, named bool) (string, error) {
	if len(j.o.Types) > 0 && !j.o.names(n) {
		return "another type was asked for", nil
	}
	if why := j.pairs.movable(n, j.o); why != "" && !named {
		return why, nil
	}
	id := typeID(n)
	if why, ok := j.refused[id]; ok {
		return why, nil
	}
	why, err := j.generates(n)
	if err != nil {
		return "", err
	}
	if why != "" {
		why = "ZMY does not fit " + short(n) + ": " + why
	}
	j.refused[id] = why
	return why, nil
}

// generates returns the reason why no code of ZMY is generated for a type, "" if it is.
func (j *job) generates(n *types.Named) (string, error) {
	if why := j.prog.misplaced(n); why != "" {
		return why, nil
	}
	pkg, name := n.Obj().Pkg().Path(), n.Obj().Name()
	if why := j.coded[pkg]; why != "" {
		return why, nil
	}
	if coded(n) {
		return "", nil
	}
	file, err := j.zmy(pkg, []string{name}, "")
	if j.ctx.Err() != nil {
		return "", j.ctx.Err()
	}
	if err != nil {
		text := firstLine(j.t.shorten(err.Error()))
		if sourceLine.MatchString(text) {
			text = path.Join(j.prog.dirOf(pkg), text)
		}
		return text, nil
	}
	for _, p := range file.Notes() {
		if !strings.Contains(p.Error(), `struct tag json:"-"`) { // JSON leaves these fields out too
			j.prog.note(token.Position{}, "ZMY: "+j.t.shorten(p.Error()))
		}
	}
	return "", nil
}

// sourceLine matches a message that begins with a file without its folder.
var sourceLine = regexp.MustCompile(`^[^ /]+\.go:\d`)

// coded reports whether a type has code of ZMY.
func coded(n *types.Named) bool {
	return types.NewMethodSet(types.NewPointer(n)).Lookup(n.Obj().Pkg(), "AppendZMY") != nil
}

// zmy generates the code of types in memory.
func (j *job) zmy(pkg string, names []string, output string) (gen.File, error) {
	cfg := genload.Config{Dir: filepath.Join(j.t.dir, filepath.FromSlash(j.prog.dirOf(pkg))), Env: j.o.env(j.t)}
	if j.o.Tags != "" {
		cfg.BuildFlags = []string{"-tags=" + j.o.Tags}
	}
	p, err := genload.Load(j.ctx, cfg, ".")
	if err != nil {
		return gen.File{}, err
	}
	old, err := gen.ReadLock(p)
	if err != nil {
		return gen.File{}, err
	}
	return gen.ZMY(p, names, gen.ZMYOptions{Options: gen.Options{Output: output}, Derive: true, Recorded: old})
}

// messages returns the types for which the readers that change need code, by package.
func (j *job) messages(files []*goFile) map[string][]root {
	out := map[string][]root{}
	for _, f := range files {
		for _, u := range f.uses {
			if u.stays() || u.quiet {
				continue
			}
			for _, s := range j.pairs.sitesAt(u, "unmarshal") {
				for _, v := range s.Values {
					n := top(v.Type)
					if n == nil {
						continue
					}
					if why, ok := j.refused[typeID(n)]; !ok || why != "" {
						continue
					}
					pkg, name := n.Obj().Pkg().Path(), n.Obj().Name()
					r := root{pkg, name, j.prog.declares(pkg, name)}
					if !slices.Contains(out[pkg], r) {
						out[pkg] = append(out[pkg], r)
						j.made[pkg+"."+name] = coded(n)
					}
				}
			}
		}
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b root) int { return strings.Compare(a.name, b.name) })
	}
	return out
}

// generateZMY adds the code of a package's messages, its zmy.lock and the go:generate line.
func (j *job) generateZMY(pkg string, list []root) (*Types, error) {
	dir := j.prog.dirOf(pkg)
	abs := filepath.Join(j.t.dir, filepath.FromSlash(dir))
	out := &Types{Package: pkg, Dir: dir}
	var fresh []root
	var names []string
	for _, r := range list {
		out.Names = append(out.Names, r.name)
		if !j.made[pkg+"."+r.name] {
			fresh, names = append(fresh, r), append(names, r.name)
		}
	}
	if len(fresh) == 0 {
		return out, nil
	}
	out.File = outputName(abs, j.prog.all[pkg].Name, names, "zmy", nil)
	args := append([]string{"-derive"}, arguments(names, out.File, "zmy")...)
	if j.o.Tags != "" {
		args = append(args, "-tags="+j.o.Tags)
	}
	var stderr bytes.Buffer
	if cli.ZMY(append(args, abs), &bytes.Buffer{}, &stderr) != 0 {
		for _, r := range fresh {
			out.refuse(r.name, firstLine(j.t.shorten(stderr.String())))
		}
		return out, nil
	}
	text, err := j.t.read(path.Join(dir, out.File))
	if err != nil {
		return nil, err
	}
	out.Lines = bytes.Count(text, []byte("\n"))
	return out, j.prog.directive(dir, abs, fresh, "zmy gen "+strings.Join(args, " "))
}

// refuse records the types of ts that ZMY does not fit after all.
func (j *job) refuse(ts *Types) (again bool) {
	for name, why := range ts.refused {
		id := ts.Package + "." + name
		j.refused[id] = fmt.Sprintf("ZMY does not fit %s.%s: %s", j.prog.all[ts.Package].Name, name, why)
		again = true
	}
	return again
}

// generateMessages adds the code, the documents and the tests of the messages that the readers of the
// files take.
func (j *job) generateMessages(files []*goFile, changed map[string]bool) error {
	all := j.messages(files)
	again := false
	for _, pkg := range slices.Sorted(mapKeys(all)) {
		j.o.progress("generating code of " + pkg)
		ts, err := j.generateZMY(pkg, all[pkg])
		if err != nil {
			return err
		}
		changed[pkg] = true
		again = j.refuse(ts) || again
		j.r.Types = append(j.r.Types, *ts)
	}
	if again {
		return errAgain
	}
	if err := j.required(); err != nil {
		return err
	}
	for i := range j.r.Types {
		ts := &j.r.Types[i]
		j.o.progress("recording documents of " + ts.Package)
		if err := j.prog.draw(j.ctx, j.o, ts); err != nil {
			if j.ctx.Err() != nil {
				return j.ctx.Err()
			}
			for _, name := range ts.Names {
				ts.refuse(name, "its values cannot be compared: "+err.Error())
			}
		}
		again = j.refuse(ts) || again
	}
	if again {
		return errAgain
	}
	return nil
}
