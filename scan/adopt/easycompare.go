package adopt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// compareEasyjson lets fxjson read and write again what easyjson wrote, and keeps the documents that
// stay the same. It returns errAgain if the values of a type differ, or fxjson fails: easyjson then
// stays.
func (j *job) compareEasyjson(ts *Types) error {
	own := j.easy.pkgs[ts.Package]
	docs, err := json.Marshal(own.before)
	if err != nil {
		return err
	}
	name := filepath.Join(j.t.top, "easyjson.json")
	if err := os.WriteFile(name, docs, 0o644); err != nil {
		return err
	}
	after, err := j.easyDocs(ts.Package, easyAfter(j.prog.all[ts.Package].Name, name, own.types))
	if j.ctx.Err() != nil {
		return j.ctx.Err()
	}
	if err != nil {
		j.easy.stay(token.Position{Filename: ts.Dir}, "a program that reads and writes their documents with fxjson fails: "+err.Error())
		return errAgain
	}
	for _, name := range own.types {
		at := token.Position{Filename: j.prog.declares(ts.Package, name)}
		text, golden, ok := compareEasy(name, own.before[name], after[name])
		if !ok {
			j.easy.stay(at, text)
			return errAgain
		}
		j.prog.note(at, text)
		if !slices.Contains(ts.Names, name) || len(golden) == 0 {
			continue
		}
		if err := j.t.write(path.Join(ts.Dir, j.prog.to.golden, name+".jsonl"), golden); err != nil {
			return err
		}
		ts.Golden = append(ts.Golden, name)
	}
	return j.prog.addTest(ts)
}

// The limits of the documents of one type that are kept.
const (
	longestDoc = 8 << 10
	mostDocs   = 24 << 10
)

// compareEasy says in one sentence what becomes of the values of a type, and returns the documents of
// drawn values that stay as they are. ok is false if a drawn value is another one afterwards.
func compareEasy(typ string, before, after []easyDoc) (text string, golden []byte, ok bool) {
	drawn, extreme, first, spelled := 0, 0, "", ""
	for i, b := range before {
		if b.Err != "" || i >= len(after) {
			continue
		}
		a, differ := after[i], ""
		switch {
		case a.Err != "":
			differ = fmt.Sprintf("easyjson writes %s, where fxjson says: %s", around(b.Doc, 0), a.Err)
		case bytes.Equal(a.Doc, b.Doc):
			if b.Name == "" && len(b.Doc) < longestDoc && len(golden) < mostDocs && !bytes.Contains(b.Doc, []byte("\n")) {
				golden = append(append(golden, b.Doc...), '\n')
			}
		default:
			from := 0
			for from < min(len(a.Doc), len(b.Doc)) && a.Doc[from] == b.Doc[from] {
				from++
			}
			differ = fmt.Sprintf("easyjson writes %s, fxjson %s", around(b.Doc, from), around(a.Doc, from))
			if sameJSON(a.Doc, b.Doc) {
				if spelled == "" {
					spelled = differ
				}
				differ = ""
			}
		}
		switch {
		case b.Name == "" && differ != "":
			return fmt.Sprintf("values of %s change: %s", typ, differ), nil, false
		case b.Name == "":
			drawn++
		case differ == "":
			extreme++
		case first == "":
			first = fmt.Sprintf("; extreme ones change, the first is %s: %s", b.Name, differ)
		}
	}
	switch what := fmt.Sprintf("%d drawn and %d extreme values of %s", drawn, extreme, typ); {
	case drawn == 0:
		return "whether fxjson writes other bytes than easyjson for " + typ + " was not tried: easyjson has written no drawn value", nil, true
	case spelled != "":
		return fmt.Sprintf("the bytes change, the values do not, in %s: %s%s", what, spelled, first), golden, true
	default:
		return fmt.Sprintf("easyjson and fxjson write the same bytes for %s%s", what, first), golden, true
	}
}

// around returns the part of a document around an offset.
func around(doc []byte, at int) string {
	before, behind := "", ""
	if at > 30 {
		doc, at, before = doc[at-30:], 30, "…"
	}
	if len(doc) > at+30 {
		doc, behind = doc[:at+30], "…"
	}
	return before + strings.Map(func(r rune) rune {
		if strconv.IsPrint(r) {
			return r
		}
		return '\uFFFD' // also for what is no UTF-8
	}, string(doc)) + behind
}

// sameJSON reports whether two documents hold the same value: members in any order, numbers in any
// spelling.
func sameJSON(a, b []byte) bool {
	decode := func(doc []byte) (v any, err error) {
		d := json.NewDecoder(bytes.NewReader(doc))
		d.UseNumber()
		return v, d.Decode(&v)
	}
	x, errX := decode(a)
	y, errY := decode(b)
	return errX == nil && errY == nil && !repeats(a) && !repeats(b) && sameValue(x, y)
}

// repeats reports whether an object of a valid document has two members of one name.
func repeats(doc []byte) bool {
	d := json.NewDecoder(bytes.NewReader(doc))
	type level struct {
		names map[string]bool // nil in an array
		value bool            // a member's name has been read, its value comes
	}
	var levels []level
	for {
		t, err := d.Token()
		if err != nil {
			return false
		}
		top := len(levels) - 1
		name := top >= 0 && levels[top].names != nil && !levels[top].value
		switch t := t.(type) {
		case json.Delim:
			switch t {
			case '{':
				levels = append(levels, level{names: map[string]bool{}})
				continue
			case '[':
				levels = append(levels, level{})
				continue
			}
			levels = levels[:top]
			top--
		case string:
			if name {
				if levels[top].names[t] {
					return true
				}
				levels[top].names[t], levels[top].value = true, true
				continue
			}
		}
		if top >= 0 {
			levels[top].value = false
		}
	}
}

func sameValue(x, y any) bool {
	switch x := x.(type) {
	case map[string]any:
		y, ok := y.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k, v := range x {
			if other, ok := y[k]; !ok || !sameValue(v, other) {
				return false
			}
		}
		return true
	case []any:
		y, ok := y.([]any)
		return ok && slices.EqualFunc(x, y, sameValue)
	case json.Number:
		y, ok := y.(json.Number)
		return ok && (x == y || sameNumber(string(x), string(y)))
	}
	return x == y
}

// sameNumber reports whether two numbers are the same float64, and at most one is written as an
// integer.
func sameNumber(x, y string) bool {
	if !strings.ContainsAny(x+y, ".eE") {
		return false
	}
	a, errA := strconv.ParseFloat(x, 64)
	b, errB := strconv.ParseFloat(y, 64)
	return errors.Join(errA, errB) == nil && a == b && math.Signbit(a) == math.Signbit(b)
}

// easyTail ends both programs: it writes what was found about a type.
const easyTail = `
type zzdoc struct {
	Name string
	Doc  []byte
	Err  string
}

func zzsave(name string, out []zzdoc) {
	text, err := zzjson.Marshal(out)
	if err == nil {
		err = zzos.WriteFile(zzos.Getenv("ZMY_ADOPT_DRAW")+"/"+name, text, 0o644)
	}
	if err != nil {
		panic(err)
	}
}

func zztry(name string, write func() ([]byte, error)) (d zzdoc) {
	d.Name = name
	defer func() {
		if x := recover(); x != nil {
			d.Err = zzfmt.Sprint("panic: ", x)
		}
	}()
	doc, err := write()
	if err != nil {
		d.Err = err.Error()
	}
	d.Doc = doc
	return d
}
`

func easyCalls(names []string) string {
	var b strings.Builder
	for _, n := range names {
		fmt.Fprintf(&b, "\tzzeasy[%s](%q)\n", n, n)
	}
	return b.String()
}

// easyBefore returns the source of a program that writes drawn and extreme values with easyjson.
func easyBefore(pkg, module string, names []string) []byte {
	return fmt.Appendf(nil, `package %s

import (
	zzjson "encoding/json"
	zzfmt "fmt"
	zzos "os"
	zztesting "testing"

	zzold %q
	zzvalues %q
)

func TestMain(*zztesting.M) {
%s}

func zzeasy[T any](name string) {
	vals, err := zzvalues.Values[T](zzvalues.Options{Seed: 1, N: 64, MaxBytes: 1 << 20})
	if err != nil {
		return
	}
	write := func(v *T) func() ([]byte, error) {
		return func() ([]byte, error) { return zzold.Marshal(any(v).(zzold.Marshaler)) }
	}
	var out []zzdoc
	for i := range vals {
		out = append(out, zztry("", write(&vals[i])))
	}
	_ = zzvalues.Adversarial(func(c *zzvalues.Case[T]) bool {
		out = append(out, zztry(c.Name+" in "+c.Where(), write(c.Value)))
		return true
	})
	zzsave(name, out)
}
%s`, pkg, easyPath, path.Join(module, drawn, "values"), easyCalls(names), easyTail)
}

// easyAfter returns the source of a program that reads the documents in a file with fxjson, and writes
// them again.
func easyAfter(pkg, docs string, names []string) []byte {
	return fmt.Appendf(nil, `package %s

import (
	zzjson "encoding/json"
	zzfmt "fmt"
	zzos "os"
	zztesting "testing"

	zznew %q
)

func TestMain(*zztesting.M) {
	text, err := zzos.ReadFile(%q)
	if err == nil {
		err = zzjson.Unmarshal(text, &zzdocs)
	}
	if err != nil {
		panic(err)
	}
%s}

var zzdocs map[string][]zzdoc

func zzeasy[T any](name string) {
	var out []zzdoc
	for _, d := range zzdocs[name] {
		out = append(out, zztry(d.Name, func() ([]byte, error) {
			var v T
			if err := zznew.Unmarshal(d.Doc, &v); err != nil {
				return nil, err
			}
			return zznew.Marshal(&v)
		}))
	}
	zzsave(name, out)
}
%s`, pkg, importPath, docs, easyCalls(names), easyTail)
}
