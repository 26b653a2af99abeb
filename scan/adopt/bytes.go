package adopt

import (
	"bytes"
	"context"
	"fmt"
	"go/token"
	"go/types"
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
	value    bool // a value is passed, not a pointer, so that methods by pointer may not be called
}

// writtenAt returns what a site of a codec other than encoding/json writes, if it changes: the types
// of the module that a program inside their package can name.
func (p *program) writtenAt(u *use) (out []written) {
	if u.writes == "" || len(u.edits) == 0 || u.codec.differs == "" || u.codec.own {
		return nil
	}
	raw := strings.Contains(u.edits[0].text, "MarshalOptions{}")
	for _, t := range append([]types.Type{u.value}, u.more...) {
		if t == nil {
			continue
		}
		value := true // elements of slices and what is behind pointers can be addressed
		switch types.Unalias(t).Underlying().(type) {
		case *types.Pointer, *types.Slice:
			value = false
		}
		for _, n := range namedIn(t) {
			if p.misplaced(n) == "" {
				out = append(out, written{n.Obj().Pkg().Path(), n.Obj().Name(), u.codec, u.writes, raw, value})
			}
		}
	}
	return out
}

// compare writes drawn and extreme values of the types at changing sites, by the codec in use and as
// fxjson does, whose bytes are those of encoding/json. The copy is as the original then, so the codec
// in use is that of go.mod.
func (j *job) compare(files []*goFile) error {
	if j.prog.to.pairs {
		return nil
	}
	if j.bytes == nil {
		j.bytes = map[written]Note{}
	}
	byPkg := map[string][]written{}
	for _, f := range files {
		for _, u := range f.uses {
			for _, w := range j.prog.writtenAt(u) {
				if _, known := j.bytes[w]; !known && !slices.Contains(byPkg[w.pkg], w) {
					byPkg[w.pkg] = append(byPkg[w.pkg], w)
				}
			}
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(byPkg)) {
		j.o.progress("writing values of " + pkg + " with the codec in use")
		if err := j.writeBoth(j.ctx, pkg, byPkg[pkg]); err != nil {
			return err
		}
	}
	if len(byPkg) == 0 {
		return nil
	}
	_, err := j.t.restore() // what the packages' initialization has written
	return err
}

// noteBytes notes what compare has found of the sites that have changed.
func (j *job) noteBytes(files []*goFile) {
	for _, f := range files {
		for _, u := range f.uses {
			for _, w := range j.prog.writtenAt(u) {
				if n := j.bytes[w]; n.Text != "" {
					j.prog.note(n.Pos, n.Text)
				}
			}
		}
	}
}

// writeBoth runs a program in a package, and records what it says of each of the list.
func (j *job) writeBoth(ctx context.Context, pkg string, list []written) error {
	p := j.prog
	out, err := p.inside(ctx, j.o, pkg, bothProgram(p.all[pkg].Name, p.module, list))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for i, w := range list {
		said, missing := os.ReadFile(filepath.Join(out, fmt.Sprint(i)))
		text := string(said)
		if missing != nil {
			text = fmt.Sprintf("whether %s writes other bytes than fxjson for %s was not tried", w.name(), w.typ)
			if err != nil {
				text += ": " + err.Error()
			}
		}
		j.bytes[w] = Note{token.Position{Filename: p.declares(w.pkg, w.typ)}, text}
	}
	return nil
}

// name returns the function with the lab's name of its codec: "jsoniter.ConfigFastest.Marshal".
func (w written) name() string { return w.codec.name + "." + w.by }

// bothProgram returns the source of the program: for each of the list it writes a file with a
// sentence.
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
		fmt.Fprintf(&calls, "\tzzboth[%s](zzsite{\"%d\", %q, %q, %v, %v, func(v any) ([]byte, error) { return %s.%s(v) }})\n",
			w.typ, i, w.typ, w.name(), w.raw, w.value, name, w.by)
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

// zzsite is how a type is written.
type zzsite struct {
	file, typ, name string
	raw, value      bool
	old             func(any) ([]byte, error)
}

func (s zzsite) say(format string, args ...any) {
	if err := zzos.WriteFile(zzos.Getenv("ZMY_ADOPT_DRAW")+"/"+s.file, zzfmt.Appendf(nil, format, args...), 0o644); err != nil {
		panic(err)
	}
}

func zzboth[T any](s zzsite) {
	whether := zzfmt.Sprintf("whether %%s writes other bytes than fxjson for %%s was not tried", s.name, s.typ)
	vals, err := zzvalues.Values[T](zzvalues.Options{Seed: 1, N: 64, MaxBytes: 1 << 20})
	if err != nil {
		s.say("%%s: %%v", whether, err)
		return
	}
	order, drawn, extreme, first := false, 0, 0, ""
	for i := range vals {
		differ, keys, wrote := s.differ(zzpassed(s, &vals[i]))
		if differ != "" {
			s.say("the bytes change: %%s", differ)
			return
		}
		if order = order || keys; wrote {
			drawn++
		}
	}
	if drawn == 0 {
		s.say("%%s: no drawn value was written", whether)
		return
	}
	err = zzvalues.Adversarial(func(c *zzvalues.Case[T]) bool {
		differ, keys, wrote := s.differ(zzpassed(s, c.Value))
		if order = order || keys; wrote {
			extreme++
		}
		if differ != "" && first == "" {
			first = zzfmt.Sprintf("; extreme ones change, the first is %%s in %%s: %%s", c.Name, c.Where(), differ)
		}
		return true
	})
	what := zzfmt.Sprintf("%%d drawn values and %%d extreme ones of %%s", drawn, extreme, s.typ)
	if first != "" || err != nil {
		what = zzfmt.Sprintf("%%d drawn values of %%s", drawn, s.typ)
	}
	switch {
	case order && s.raw:
		s.say("%%s and fxjson write the same bytes for %%s, but for the keys of maps, which neither sorts%%s", s.name, what, first)
	case order:
		s.say("the bytes change, in the order of keys only: %%s, written by %%s and by fxjson%%s", what, s.name, first)
	default:
		s.say("%%s and fxjson write the same bytes for %%s%%s", s.name, what, first)
	}
}

// zzpassed returns the argument of the call at the site.
func zzpassed[T any](s zzsite, v *T) any {
	if s.value {
		return *v
	}
	return v
}

// differ says how the codec in use writes a value unlike fxjson, and whether the order of keys alone
// differs. wrote is false if neither writes it.
func (s zzsite) differ(v any) (differ string, order, wrote bool) {
	before, errBefore := zzwritten(s.old, v)
	after, errAfter := zzwritten(func(v any) ([]byte, error) {
		var b zzbytes.Buffer
		e := zzjson.NewEncoder(&b)
		e.SetEscapeHTML(!s.raw)
		err := e.Encode(v)
		return zzbytes.TrimSuffix(b.Bytes(), []byte("\n")), err
	}, v)
	var a, b any
	switch {
	case errBefore != nil && errAfter != nil:
		return "", false, false
	case errBefore != nil:
		return zzfmt.Sprintf("%%s fails where fxjson writes %%s: %%v", s.name, zzcut(after, 0), errBefore), false, true
	case errAfter != nil:
		return zzfmt.Sprintf("fxjson fails where %%s writes %%s: %%v", s.name, zzcut(before, 0), errAfter), false, true
	case zzbytes.Equal(before, after):
		return "", false, true
	case zzjson.Unmarshal(before, &a) == nil && zzjson.Unmarshal(after, &b) == nil && zzreflect.DeepEqual(a, b) && zzsorted(before, after):
		return "", true, true
	}
	at := 0
	for at < len(before) && at < len(after) && before[at] == after[at] {
		at++
	}
	return zzfmt.Sprintf("%%s writes %%s, fxjson %%s", s.name, zzcut(before, at), zzcut(after, at)), false, true
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
	before, behind := "", ""
	if at > 30 {
		doc, at, before = doc[at-30:], 30, "…"
	}
	if len(doc) > at+30 {
		doc, behind = doc[:at+30], "…"
	}
	return before + zzstrings.Map(func(r rune) rune {
		if zzunicode.IsPrint(r) {
			return r
		}
		return '\uFFFD' // also for what is no UTF-8
	}, string(doc)) + behind
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
