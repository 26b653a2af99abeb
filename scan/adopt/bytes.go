package adopt

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// written is a type of the module, and how the module writes it: by a function of a package, as
// "ConfigFastest.Marshal".
type written struct {
	pkg, typ string
	codec    *codec
	by       string
	raw      bool // <, > and & are written as they are, by the codec in use and by fxjson
}

// compare writes drawn values of the types at changing sites, by the codec in use and by
// encoding/json, whose bytes fxjson writes. It notes whether the bytes are the same. The copy is as
// the original then, so the codec in use is that of go.mod.
func (j *job) compare(files []*goFile) error {
	if j.prog.to.pairs {
		return nil
	}
	byPkg := map[string][]written{}
	for _, f := range files {
		for _, u := range f.uses {
			if u.writes == "" || len(u.edits) == 0 || u.codec.differs == "" {
				continue
			}
			raw := strings.Contains(u.edits[0].text, "MarshalOptions{}")
			for _, n := range u.named() {
				if w := (written{typ: n.Obj().Name(), codec: u.codec, by: u.writes, raw: raw}); j.prog.misplaced(n) == "" {
					w.pkg = n.Obj().Pkg().Path()
					if !slices.Contains(byPkg[w.pkg], w) {
						byPkg[w.pkg] = append(byPkg[w.pkg], w)
					}
				}
			}
		}
	}
	if j.bytes == nil {
		j.bytes = map[written]Note{}
	}
	for _, pkg := range slices.Sorted(maps.Keys(byPkg)) {
		list := byPkg[pkg]
		slices.SortFunc(list, func(a, b written) int {
			return cmp.Or(strings.Compare(a.typ, b.typ), strings.Compare(a.codec.path, b.codec.path), strings.Compare(a.by, b.by))
		})
		known := func(w written) bool { _, ok := j.bytes[w]; return ok }
		if missing := slices.DeleteFunc(slices.Clone(list), known); len(missing) > 0 {
			j.o.progress("writing values of " + pkg + " with the codec in use")
			if err := j.writeBoth(j.ctx, pkg, missing); err != nil {
				return err
			}
		}
		for _, w := range list {
			j.prog.note(j.bytes[w].Pos, j.bytes[w].Text)
		}
	}
	return nil
}

// writeBoth runs a program in a package, and records what it says of each of the list.
func (j *job) writeBoth(ctx context.Context, pkg string, list []written) error {
	p := j.prog
	out, err := p.inside(ctx, j.o, pkg, bothProgram(p.all[pkg].Name, p.module, list))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for i, w := range list {
		text := fmt.Sprintf("whether %s writes other bytes than fxjson for %s was not tried", w.name(), w.typ)
		if err != nil {
			text += ": " + err.Error()
		} else if said, err := os.ReadFile(filepath.Join(out, fmt.Sprint(i))); err == nil {
			text = strings.ReplaceAll(string(said), "OLD", w.name())
		}
		j.bytes[w] = Note{token.Position{Filename: p.declares(w.pkg, w.typ)}, text}
	}
	return nil
}

// name returns the codec as the source spells it: "jsoniter.ConfigFastest.Marshal".
func (w written) name() string { return w.codec.name + "." + w.by }

// bothProgram returns the source of the program: for each of the list it writes a file with a
// sentence, in which OLD stands for the codec in use.
func bothProgram(pkg, module string, list []written) []byte {
	var imports, calls bytes.Buffer
	names := map[string]string{} // of imports, by path
	for i, w := range list {
		name := names[w.codec.path]
		if name == "" {
			name = fmt.Sprintf("zzold%d", i)
			names[w.codec.path] = name
			fmt.Fprintf(&imports, "\t%s %q\n", name, w.codec.path)
		}
		fmt.Fprintf(&calls, "\tzzboth[%s](\"%d\", %q, %v, func(v any) ([]byte, error) { return %s.%s(v) })\n",
			w.typ, i, w.typ, w.raw, name, w.by)
	}
	return fmt.Appendf(nil, `package %s

import (
	zzbytes "bytes"
	zzjson "encoding/json"
	zzfmt "fmt"
	zzos "os"
	zzreflect "reflect"
	zzstrings "strings"
	zztesting "testing"
	zzunicode "unicode"

	zzvalues %q
%s)

func TestMain(*zztesting.M) {
%s}

func zzboth[T any](file, typ string, raw bool, old func(any) ([]byte, error)) {
	say := func(format string, args ...any) {
		if err := zzos.WriteFile(zzos.Getenv("ZMY_ADOPT_DRAW")+"/"+file, zzfmt.Appendf(nil, format, args...), 0o644); err != nil {
			panic(err)
		}
	}
	vals, err := zzvalues.Values[T](zzvalues.Options{Seed: 1, N: 64, MaxBytes: 1 << 20})
	if err != nil {
		return
	}
	order := false
	for i := range vals {
		differ, keys := zzdiffer(&vals[i], raw, old)
		if differ != "" {
			say("the bytes change: %%s", differ)
			return
		}
		order = order || keys
	}
	extreme, first := 0, ""
	err = zzvalues.Adversarial(func(c *zzvalues.Case[T]) bool {
		extreme++
		if differ, _ := zzdiffer(c.Value, raw, old); differ != "" && first == "" {
			first = zzfmt.Sprintf("%%s in %%s: %%s", c.Name, c.Where(), differ)
		}
		return true
	})
	extremes := zzfmt.Sprintf(" and %%d extreme ones", extreme)
	if first != "" || err != nil {
		extremes = ""
	}
	if first != "" {
		first = "; extreme ones change, the first is " + first
	}
	switch {
	case order && raw:
		say("OLD and fxjson write the same bytes for %%d drawn values%%s of %%s, but for the keys of maps, which neither sorts%%s", len(vals),
			extremes, typ, first)
	case order:
		say("the bytes change, in the order of keys only: %%d drawn values%%s of %%s, written by OLD and by fxjson%%s", len(vals), extremes,
			typ, first)
	default:
		say("OLD and fxjson write the same bytes for %%d drawn values%%s of %%s%%s", len(vals), extremes, typ, first)
	}
}

// zzdiffer says how the codec in use writes a value unlike fxjson, and whether the order of keys
// alone differs.
func zzdiffer(v any, raw bool, old func(any) ([]byte, error)) (differ string, order bool) {
	before, errBefore := zzwritten(old, v)
	after, errAfter := zzwritten(func(v any) ([]byte, error) {
		var b zzbytes.Buffer
		e := zzjson.NewEncoder(&b)
		e.SetEscapeHTML(!raw)
		err := e.Encode(v)
		return zzbytes.TrimSuffix(b.Bytes(), []byte("\n")), err
	}, v)
	var a, b any
	switch {
	case errBefore != nil && errAfter != nil:
	case errBefore != nil:
		return zzfmt.Sprintf("OLD fails where fxjson writes %%s: %%v", zzcut(after, 0), errBefore), false
	case errAfter != nil:
		return zzfmt.Sprintf("fxjson fails where OLD writes %%s: %%v", zzcut(before, 0), errAfter), false
	case zzbytes.Equal(before, after):
	case zzjson.Unmarshal(before, &a) == nil && zzjson.Unmarshal(after, &b) == nil && zzreflect.DeepEqual(a, b) && zzsorted(before, after):
		return "", true
	default:
		at := 0
		for at < len(before) && at < len(after) && before[at] == after[at] {
			at++
		}
		return zzfmt.Sprintf("OLD writes %%s, fxjson %%s", zzcut(before, at), zzcut(after, at)), false
	}
	return "", false
}

// zzsorted reports whether two documents have the same bytes, in any order.
func zzsorted(a, b []byte) bool {
	var n [256]int
	for _, c := range a {
		n[c]++
	}
	for _, c := range b {
		n[c]--
	}
	return n == [256]int{}
}

// zzcut returns the part of a document around an offset.
func zzcut(doc []byte, at int) string {
	from, to := max(0, at-30), min(len(doc), at+30)
	out := zzstrings.Map(func(r rune) rune {
		if zzunicode.IsPrint(r) {
			return r
		}
		return '\uFFFD' // also for what is no UTF-8
	}, string(doc[from:to]))
	if from > 0 {
		out = "…" + out
	}
	if to < len(doc) {
		out += "…"
	}
	return out
}

func zzwritten(marshal func(any) ([]byte, error), v any) (doc []byte, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = zzfmt.Errorf("panic: %%v", x)
		}
	}()
	return marshal(v)
}
`, pkg, path.Join(module, drawn, "values"), &imports, &calls)
}
