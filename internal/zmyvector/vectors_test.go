package zmyvector

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/internal/zmymodel"
)

var update = flag.Bool("update", false, "write spec/vectors anew; see README.md there before")

// build makes all vectors, by file.
func build(t *testing.T) map[string][]Vector {
	t.Helper()
	out := map[string][]Vector{}
	seen := map[string]bool{}
	add := func(category, id, reader string, b []byte, l zmymodel.Limits) Vector {
		v := Vector{ID: category + "/" + reader + "/" + strings.ReplaceAll(id, " ", "_"), Reader: reader, Hex: Pack(b), Limits: l}
		if !bytes.Equal(v.Bytes(), b) {
			t.Fatalf("%s: does not pack", v.ID)
		}
		if seen[v.ID] {
			t.Errorf("%s: twice", v.ID)
		}
		seen[v.ID] = true
		if err := v.Fill(Implementation(Model).Each); err != nil {
			t.Fatalf("%s: %v", v.ID, err)
		}
		file := category + "/" + strings.ToLower(reader) + ".jsonl"
		out[file] = append(out[file], v)
		return v
	}
	all := maps.Clone(samples)
	all["wide"] = wideSamples()
	for _, category := range slices.Sorted(maps.Keys(all)) {
		for _, s := range all[category] {
			r, b := message(s.v)
			if v := add(category, s.id, r.Name, b, zmymodel.Limits{MaxWire: wideLimit(b)}); v.Expect != "ok" || v.Reencode != "same" {
				t.Errorf("%s: %s, written again %s", v.ID, v.Expect, v.Reencode)
			}
		}
	}
	for _, table := range []map[string][]raw{bad(), framed(), answers()} {
		for _, category := range slices.Sorted(maps.Keys(table)) {
			for _, c := range table[category] {
				if c.limits.MaxWire == 0 && frames[c.reader] == nil {
					c.limits.MaxWire = wideLimit(c.b)
				}
				add(category, c.id, c.reader, c.b, c.limits)
			}
		}
	}
	for i, r := range Readers() {
		explore(r, uint64(i), func(id string, b []byte) { add("random", id, r.Name, b, zmymodel.Limits{}) })
	}
	return out
}

// wideLimit is a limit for large messages, 0 for others.
func wideLimit(b []byte) int {
	if len(b) > 100_000 {
		return 1 << 20
	}
	return 0
}

var indices = regexp.MustCompile(`\[[^\]]*\]`)

// explore finds, for each error at each field of the type, a damaged message that
// has it, and adds a few random values.
func explore(r Reader, seed uint64, add func(id string, b []byte)) {
	rnd := rand.New(rand.NewPCG(seed, 7))
	found := map[string]bool{}
	for n := range 1500 {
		b := zmymodel.Encode(r.Type, zmymodel.Random(r.Type, rnd, 1+n%3, 1+n%3))
		if n > 4 && n < 8 {
			add(fmt.Sprintf("value %d", n), b)
		}
		if len(b) > 400 {
			continue
		}
		for range 10 {
			x := zmymodel.Damage(rnd, b)
			_, f := zmymodel.Decode(r.Type, x, zmymodel.Limits{})
			if f == nil {
				continue
			}
			path := indices.ReplaceAllString(f.Path, "[]")
			if strings.Count(path, ".") > 1 { // recursive types have no end of them
				continue
			}
			if key := f.Code + " " + path; !found[key] {
				found[key] = true
				add(strings.TrimSpace(key), x)
			}
		}
	}
}

func write(t *testing.T, files map[string][]Vector) {
	t.Helper()
	for name, list := range files {
		var b bytes.Buffer
		for _, v := range list {
			b.WriteString(v.line())
		}
		path := filepath.Join(Dir(), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(Dir(), "manifest.txt"), manifest(t), 0o644); err != nil {
		t.Fatal(err)
	}
}

// manifest has a line for each file: its SHA-256, how many vectors, its name.
func manifest(t *testing.T) []byte {
	t.Helper()
	names, err := Files()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for _, name := range append(names, "schemas.txt") {
		text, err := os.ReadFile(filepath.Join(Dir(), filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%x %d %s\n", sha256.Sum256(text), bytes.Count(text, []byte("\n")), name)
	}
	return b.Bytes()
}

// The files are what the model makes, and have not changed since they were frozen.
func TestFrozen(t *testing.T) {
	files := build(t)
	if *update {
		write(t, files)
	}
	want, err := os.ReadFile(filepath.Join(Dir(), "manifest.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if got := manifest(t); !bytes.Equal(got, want) {
		t.Errorf("files differ from manifest.txt: vectors that have been released do not change. Now:\n%s", got)
	}
	names, err := Files()
	if err != nil {
		t.Fatal(err)
	}
	if len(names) != len(files) {
		t.Errorf("%d files, want %d", len(names), len(files))
	}
	for _, name := range names {
		list, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) != len(files[name]) {
			t.Errorf("%s: %d vectors, the model makes %d", name, len(list), len(files[name]))
			continue
		}
		for i := range list {
			if got, want := files[name][i].line(), list[i].line(); got != want {
				t.Errorf("the model makes\n%swhere %s has\n%s", got, name, want)
			}
		}
	}
}

// Every vector through every way to read.
func TestVectors(t *testing.T) {
	for name, run := range Implementations() {
		if name == "model" {
			continue // TestFrozen
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachVector(t, func(v *Vector) {
				if err := v.Check(run.Each); err != nil {
					t.Errorf("%s: %v", v.ID, err)
				}
			})
		})
	}
}

func eachVector(t testing.TB, f func(v *Vector)) {
	t.Helper()
	names, err := Files()
	if err != nil || len(names) == 0 {
		t.Fatal("no vectors:", err)
	}
	for _, name := range names {
		list, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			f(&list[i])
		}
	}
}

// Each error code is met by a vector.
func TestCodes(t *testing.T) {
	met := map[string]bool{}
	eachVector(t, func(v *Vector) { met[v.Expect] = true })
	for _, code := range []string{
		"ok", "TRUNCATED", "RESERVED", "MIXED", "ENDS", "WIDTH", "DOMAIN", "ZERO", "UTF8", "KEY_ORDER", "COUNT", "DEPTH", "NOT_MINIMAL",
		"LENGTH", "TOO_LARGE", "BUDGET", "VERSION", "SPARSE", "MAGIC", "CHECKSUM", "COMPRESSION", "SEQUENCE",
	} {
		if !met[code] {
			t.Errorf("no vector expects %s", code)
		}
		delete(met, code)
	}
	for code := range met {
		t.Errorf("a vector expects %q", code)
	}
}

func TestPack(t *testing.T) {
	for _, b := range []string{"", "a", "aaaaaaaaaaaaaaaaaaaab", "abababab", "\x00\x01" +
		strings.Repeat("\xff", 300) + strings.Repeat("z", 16) + "end"} {
		if got := Unpack(Pack([]byte(b))); string(got) != b {
			t.Errorf("%q became %q by way of %s", b, got, Pack([]byte(b)))
		}
	}
	if got := Unpack("01 (0203)*2 04"); !bytes.Equal(got, []byte{1, 2, 3, 2, 3, 4}) {
		t.Errorf("%x", got)
	}
}
