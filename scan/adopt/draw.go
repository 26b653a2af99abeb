package adopt

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/codec/capture/fit"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/values"
)

// drawn is the folder that the overlay adds to the module.
const drawn = "zzadopt"

// draw records documents that encoding/json writes for drawn values of the types, and adds the test
// of the target that reads them. For ZMY it records in ts how values differ that are read from it.
func (p *program) draw(ctx context.Context, o *Options, ts *Types) error {
	out, err := p.inside(ctx, o, ts.Package, p.to.drawProgram(p.all[ts.Package].Name, p.module, ts.Names))
	if err != nil {
		return err
	}
	return p.record(ts, out, o)
}

// inside compiles the source of a test into a package, with package values of the lab, runs it, and
// returns the folder that it writes to, which it finds in ZMY_ADOPT_DRAW. The folder is there also if
// the program fails. An overlay hides the package's own tests, so that none of them runs.
func (p *program) inside(ctx context.Context, o *Options, pkg string, source []byte) (out string, err error) {
	dir := filepath.Join(p.t.dir, filepath.FromSlash(p.dirOf(pkg)))
	work, err := os.MkdirTemp(p.t.top, "draw")
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	add := func(name string, text []byte) error {
		to := filepath.Join(work, strconv.Itoa(len(replace))+"_"+filepath.Base(name))
		replace[name] = to
		// The constraint gives the file its own language version, whatever go.mod says.
		return os.WriteFile(to, append([]byte("//go:build go1.26\n\n"), text...), 0o644)
	}
	own, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return "", err
	}
	for _, name := range own {
		replace[name] = ""
	}
	for folder, from := range map[string]fs.FS{"values": values.Source, "fit": fit.Source} {
		sources, err := contender.Files(from, "*.go")
		if err != nil {
			return "", err
		}
		for name, text := range sources { // package values imports fit, which is copied beside it
			text = bytes.ReplaceAll(text, []byte(`"`+contender.LabPath+`/`), []byte(`"`+path.Join(p.module, drawn)+`/`))
			if err := add(filepath.Join(p.t.dir, drawn, folder, name), text); err != nil {
				return "", err
			}
		}
	}
	if err := add(filepath.Join(dir, "zz_adopt_draw_test.go"), source); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(work, "overlay.json")
	if err := os.WriteFile(overlay, list, 0o644); err != nil {
		return "", err
	}
	args := []string{"test", "-overlay=" + overlay, "-count=1", "-vet=off", "-timeout=2m"}
	if o.Tags != "" {
		args = append(args, "-tags="+o.Tags)
	}
	cmd := p.t.command(ctx, o, append(args, pkg)...)
	out = filepath.Join(work, "out")
	if err := os.Mkdir(out, 0o755); err != nil {
		return "", err
	}
	cmd.Env = append(cmd.Env, "ZMY_ADOPT_DRAW="+out)
	if text, err := cmd.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return out, fmt.Errorf("%s", firstLine(p.t.shorten(string(text))))
	}
	return out, nil
}

// drawProgram returns the source of the program.
func (to *target) drawProgram(pkg, module string, names []string) []byte {
	var b bytes.Buffer
	imports, differs := "", ""
	if to.pairs {
		imports, differs = drawImports, drawDiffers
	}
	fmt.Fprintf(&b, `package %s

import (
	zzbytes "bytes"
	zzjson "encoding/json"
	zzos "os"
	zztesting "testing"

	zzvalues %q
%s)

func TestMain(*zztesting.M) {
`, pkg, path.Join(module, drawn, "values"), imports)
	for _, n := range names {
		fmt.Fprintf(&b, "\tzzdraw[%s](%q)\n", n, n)
	}
	b.WriteString(`}

func zzdraw[T any](name string) {
	vals, err := zzvalues.Values[T](zzvalues.Options{Seed: 1, N: 24, MaxBytes: 1 << 20})
	if err != nil {
		println(name, err.Error())
		return
	}
	var out []byte
	for i := range vals {
		if doc := zzdocument(&vals[i]); doc != nil && len(doc) < 8<<10 && len(out) < 24<<10 {
			out = append(append(out, doc...), '\n')
			zzdiffers(name, &vals[i], doc)
		}
	}
	zzwrite(name+".jsonl", out)
}

func zzwrite(name string, text []byte) {
	if err := zzos.WriteFile(zzos.Getenv("ZMY_ADOPT_DRAW")+"/"+name, text, 0o644); err != nil {
		panic(err)
	}
}

func zzdocument[T any](v *T) (doc []byte) {
	defer func() {
		if recover() != nil {
			doc = nil
		}
	}()
	doc, err := zzjson.Marshal(v)
	if err != nil {
		return nil
	}
	var back T
	if zzjson.Unmarshal(doc, &back) != nil {
		return nil
	}
	again, err := zzjson.Marshal(&back)
	if err != nil || !zzbytes.Equal(doc, again) {
		return nil
	}
	return doc
}
`)
	b.WriteString(cmp.Or(differs, "\nfunc zzdiffers(_ string, _ any, _ []byte) {}\n"))
	return b.Bytes()
}

// drawImports and drawDiffers are the part of the program that writes each value as JSON and as ZMY,
// and reads both. It records differences of three kinds: of values, of types in interfaces, and those
// that only stricter rules call so.
const (
	drawImports = `
	zzfmt "fmt"

	zzdual "github.com/zmylab/zmy/codec/dual"
	zzdiff "github.com/zmylab/zmy/codec/shadow/diff"
	zzzmy "github.com/zmylab/zmy"
`
	drawDiffers = `
func zzdiffers[T any](name string, v *T, doc []byte) {
	var a, b T
	if zzjson.Unmarshal(doc, &a) != nil {
		return
	}
	msg, err := zzzmy.Seal(v)
	if err == nil {
		err = zzdual.Unmarshal(msg, &b)
	}
	if err != nil {
		zzwrite(name+".refused", []byte(err.Error()))
		return
	}
	r := zzdiff.Compare(a, b, zzdiff.Options{MaxDifferences: 1 << 16})
	for _, d := range r.Differences {
		if d.Kind != zzdiff.Type {
			zzwrite(name+".refused", zzfmt.Appendf(nil, "JSON gives another value than ZMY: %v", d))
			return
		}
	}
	if !r.Equal() {
		zzwrite(name+".loose", zzfmt.Appendf(nil, "%v", r.Differences[0]))
		return
	}
	if r := zzdiff.Compare(a, b, zzdiff.Options{Nil: true, Zone: true}); !r.Equal() {
		zzwrite(name+".differs", zzfmt.Appendf(nil, "%v", r.Differences[0]))
	}
}
`
)

// record puts the documents into the package's testdata, and writes the test.
func (p *program) record(ts *Types, from string, o *Options) error {
	for _, name := range ts.Names {
		docs, err := os.ReadFile(filepath.Join(from, name+".jsonl"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if p.to.pairs {
			if err := p.differs(ts, name, from, len(docs) > 0, o); err != nil {
				return err
			}
		}
		if len(docs) == 0 {
			continue
		}
		if err := p.t.write(path.Join(ts.Dir, p.to.golden, name+".jsonl"), docs); err != nil {
			return err
		}
		ts.Golden = append(ts.Golden, name)
	}
	return p.addTest(ts)
}

// addTest writes the test of a package, for all types of which documents were recorded.
func (p *program) addTest(ts *Types) error {
	names := append(p.golden[ts.Package], ts.Golden...)
	if len(names) == 0 {
		return nil
	}
	p.golden[ts.Package] = names
	source := testSource
	if p.to.pairs {
		source = dualTest
	}
	return p.t.write(path.Join(ts.Dir, p.to.test), source(p.all[ts.Package].Name, p.to.golden, names))
}

// differs records what the program has said of a type.
func (p *program) differs(ts *Types, name, from string, any bool, o *Options) error {
	refused, err := readFile(filepath.Join(from, name+".refused"))
	if err != nil {
		return err
	}
	loose, err := readFile(filepath.Join(from, name+".loose"))
	if err != nil {
		return err
	}
	differs, err := readFile(filepath.Join(from, name+".differs"))
	if err != nil {
		return err
	}
	at := token.Position{Filename: p.declares(ts.Package, name)}
	switch {
	case refused != nil:
		ts.refuse(name, string(refused))
	case !any:
		ts.refuse(name, "no value of it was drawn that encoding/json writes and reads, so that nothing would be tested")
	case loose != nil && !o.namesIn(ts.Package, name):
		ts.refuse(name, fmt.Sprintf("JSON and ZMY give %s: ZMY keeps the type of a value in an interface; if all readers take both, "+
			"name the type in the command", loose))
	case loose != nil:
		p.note(at, fmt.Sprintf("readers must take both types of a value: JSON and ZMY give %s", loose))
	case differs != nil:
		p.note(at, fmt.Sprintf("values differ in what a program seldom asks for: "+
			"JSON and ZMY give %s (ZMY reads an empty slice or map as nil, and a time in UTC unless its struct tag has the option zone)", differs))
	}
	return nil
}

// testSource returns the test that is added to a package with code of fxjson.
func testSource(pkg, golden string, names []string) []byte {
	var calls strings.Builder
	for _, n := range slices.Sorted(slices.Values(names)) {
		fmt.Fprintf(&calls, "\tt.Run(%q, adoptedFxjson[%s])\n", n, n)
	}
	return fmt.Appendf(nil, `// Code generated by zmy adopt fxjson; DO NOT EDIT.

package %s

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"os"
	"path"
	"reflect"
	"testing"

	%q
)

// TestAdoptedFxjson compares fxjson with encoding/json: on the documents in %s, which
// were written before the change, and on these documents cut in half.
func TestAdoptedFxjson(t *testing.T) {
%s}

func adoptedFxjson[T any](t *testing.T) {
	docs, err := os.ReadFile("%s/" + path.Base(t.Name()) + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for doc := range bytes.Lines(docs) {
		doc = bytes.TrimSuffix(doc, []byte("\n"))
		for _, in := range [][]byte{doc, doc[:len(doc)/2]} {
			var want, got T
			wantErr, gotErr := stdjson.Unmarshal(in, &want), fxjson.Unmarshal(in, &got)
			if fmt.Sprint(wantErr) != fmt.Sprint(gotErr) || !reflect.DeepEqual(want, got) {
				t.Errorf("%%s\nencoding/json: %%+v, %%v\nfxjson:        %%+v, %%v", in, want, wantErr, got, gotErr)
			}
			if wantErr != nil {
				continue
			}
			if out, err := fxjson.Marshal(&got); err != nil || !bytes.Equal(out, doc) {
				t.Errorf("wrote %%s, %%v\nbefore %%s", out, err, doc)
			}
		}
	}
}
`, pkg, importPath, golden, calls.String(), golden)
}

// dualTest returns the test that is added to a package whose types are read from JSON and ZMY.
func dualTest(pkg, golden string, names []string) []byte {
	var calls strings.Builder
	for _, n := range slices.Sorted(slices.Values(names)) {
		fmt.Fprintf(&calls, "\tt.Run(%q, adoptedZMY[%s])\n", n, n)
	}
	return fmt.Appendf(nil, `// Code generated by zmy adopt zmy -read; DO NOT EDIT.

package %s

import (
	"bytes"
	stdjson "encoding/json"
	"os"
	"path"
	"reflect"
	"testing"

	%q
	"github.com/zmylab/zmy/codec/shadow/diff"
)

// TestAdoptedZMY reads the documents in %s, which encoding/json wrote before the change, and
// the same values as ZMY: all readers get equal values.
func TestAdoptedZMY(t *testing.T) {
%s}

func adoptedZMY[T any](t *testing.T) {
	docs, err := os.ReadFile("%s/" + path.Base(t.Name()) + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for doc := range bytes.Lines(docs) {
		var want, text, msg T
		if err := stdjson.Unmarshal(doc, &want); err != nil {
			t.Fatal(err)
		}
		if err := dual.Unmarshal(doc, &text); err != nil || !reflect.DeepEqual(want, text) {
			t.Errorf("%%s\nencoding/json: %%+v\ndual:          %%+v, %%v", doc, want, text, err)
		}
		b, err := dual.Marshal(&want)
		if err != nil || !dual.IsZMY(b) {
			t.Fatalf("%%s is not written as ZMY: %%q, %%v", doc, b, err)
		}
		if err := dual.Unmarshal(b, &msg); err != nil {
			t.Fatalf("%%s as ZMY: %%v", doc, err)
		}
		if r := diff.Compare(want, msg, diff.Options{}); !r.Equal() {
			t.Errorf("%%s: JSON and ZMY give %%v", doc, r.Differences)
		}
	}
}
`, pkg, dualPath, golden, calls.String(), golden)
}
