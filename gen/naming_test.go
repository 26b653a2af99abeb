package gen_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/token"
	"go/types"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/zmylab/zmy/gen/cli"
)

var (
	namingSeed  = flag.Uint64("naming-seed", 5, "of the packages that TestNaming draws")
	namingWords = flag.Int("naming-words", 80, "how many words TestNaming gives to types, fields, arms and constants; 0 is all")
)

// keywords are words of Go, Java and Rust and of their standard libraries. Identifiers of
// generated code are added to them by [harvest].
const keywords = `Abstract Assert Boolean Break Byte Case Catch Char Class Const Continue Default Do Double Else Enum Extends Final Finally Float
For Goto If Implements Import Instanceof Int Interface Long Native New Null Package Private Protected Public Record Return Sealed Short
Static Strictfp Super Switch Synchronized This Throw Throws Transient True Try Var Void Volatile While Yield Permits False
Clone Finalize GetClass HashCode Notify NotifyAll ToString Wait Equals Builder ToBuilder Build Codec Zero Unrecognized
Object String Integer Character Override SuppressWarnings Deprecated SafeVarargs Math System Thread Iterable Comparable Exception Error Number Record Enum Module
As Async Await Become Box Crate Dyn Extern Fn Gen Impl In Let Loop Macro Match Mod Move Mut Priv Pub Ref SelfType Self Struct Trait
Type Typeof Unsafe Unsized Use Virtual Where Unknown Option Some None Ok Err Result Vec Copy Debug PartialEq Eq Hash Drop Send Sync
Sized Into From Iterator Fn FnMut FnOnce ToOwned Rt Zmy Std Core Alloc Io Java Javax Org Com Us As_Bytes AsBytes
Func Map Chan Select Defer Go Range Fallthrough Any Append Bool Len Cap Make Nil Iota Print Panic Recover Uint8 Rune Complex Real Imag Min Max Clear
Time Big Math Bytes Strings Sync Context B V D H E X Y N T S Left Scratch Buf Disc Raw At View Struct Verified`

// TestNaming gives words that mean something in generated code of Go, Java or Rust to
// types, fields, arms and constants: keywords, names of the standard libraries, all
// identifiers of the code that is generated for other names, and words that differ in case
// or underscores only. The code compiles, and go vet finds nothing in it.
func TestNaming(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs of three languages")
	}
	core, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(*namingSeed, 1))
	module(t, "naming", nil)
	words := harvest(t)
	t.Logf("%d words", len(words))
	r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	fields := words
	if *namingWords > 0 && *namingWords < len(words) {
		words = words[:*namingWords]
	}
	const each = 40 // words of a package
	var dirs []string
	for i := 0; i < len(words); i += each {
		dirs = append(dirs, fmt.Sprintf("p%d", len(dirs)))
		n := &namer{r: r, fields: fields}
		writeFile(t, dirs[len(dirs)-1]+"/in.go", []byte(n.draw(dirs[len(dirs)-1], words[i:min(i+each, len(words))])))
		generateAll(t, dirs[len(dirs)-1], n.roots)
	}
	if out, err := exec.Command("go", "vet", "./...").CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
	t.Run("java", func(t *testing.T) { compileJava(t, core) })
	t.Run("rust", func(t *testing.T) { checkRust(t, core, dirs) })
}

// generateAll generates the package in the folder for all languages.
func generateAll(t *testing.T, dir string, roots []string) {
	t.Helper()
	for _, args := range [][]string{{}, {"-lang=java", "-package=" + dir, "-o=java"}, {"-lang=rust", "-package=" + dir, "-o=rust/src"}} {
		var out bytes.Buffer
		if code := cli.ZMY(append(append([]string{"-type=" + strings.Join(roots, ",")}, args...), "./"+dir), &out, &out); code != 0 {
			t.Errorf("%s %v: exit %d\n%s", dir, args, code, &out)
		}
	}
}

func compileJava(t *testing.T, core string) {
	if _, err := exec.LookPath("javac"); err != nil {
		t.Skip("javac is missing")
	}
	args := []string{"--release", "17", "-encoding", "UTF-8", "-nowarn", "-Xmaxerrs", "30", "-d", t.TempDir()}
	for _, dir := range []string{"java", filepath.Join(core, "java/zmy/src/main/java"), filepath.Join(core, "java/stubs")} {
		err := filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
			if filepath.Ext(name) == ".java" && filepath.Base(name) != "module-info.java" {
				args = append(args, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, "javac.args", []byte(strings.Join(args, "\n")))
	cmd := exec.Command("javac", "-J-Dfile.encoding=UTF-8", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "@javac.args")
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8") // names of files are not ASCII
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("javac: %v\n%s", err, out)
	}
}

func checkRust(t *testing.T, core string, modules []string) {
	if _, err := exec.LookPath("cargo"); err != nil {
		t.Skip("cargo is missing")
	}
	writeFile(t, "rust/Cargo.toml", fmt.Appendf(nil, "[package]\nname = \"naming\"\nversion = \"0.1.0\"\nedition = "+
		"\"2021\"\n\n[dependencies]\nzmy = { path = %q }\n\n[workspace]\n",
		filepath.Join(core, "rust/zmy")))
	var lib strings.Builder
	for _, m := range modules {
		fmt.Fprintf(&lib, "pub mod %s;\n", m)
	}
	writeFile(t, "rust/src/lib.rs", []byte(lib.String()))
	cmd := exec.Command("cargo", "check", "--quiet")
	cmd.Dir = "rust"
	cmd.Env = append(os.Environ(), "CARGO_TARGET_DIR="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("cargo check: %v\n%s", err, out)
	}
}

// neutral is a package of names that mean nothing, with a field of each form.
const neutral = "package neutral\n\nimport (\n\t\"math/big\"\n\t\"time\"\n\n\t\"github.com/zmylab/zmy\"\n)\n\ntype Qqa struct {\n" +
	"\tQqa string `zmy:\"0\"`\n\tQqb []Qqb `zmy:\"1\"`\n\tQqc map[string]Qqb `zmy:\"2\"`\n\tQqd *Qqb `zmy:\"3\"`\n\tQqe Qqe `zmy:\"4\"`\n" +
	"\tQqf []string `zmy:\"5\"`\n\tQqg any `zmy:\"6\"`\n\tQqh time.Time `zmy:\"7\"`\n\tQqi *big.Int `zmy:\"8\"`\n\tQqj Qqj `zmy:\"9\"`\n" +
	"\tQqk []float64 `zmy:\"10\"`\n\tQql []byte `zmy:\"11\"`\n\tQqm *int32 `zmy:\"12\"`\n\tQqn map[string]struct{} `zmy:\"13\"`\n" +
	"\tQqo [3]uint16 `zmy:\"14\"`\n\tQqp *string `zmy:\"15\"`\n\tQqq map[int32]float32 `zmy:\"16\"`\n\tQqr Qqr `zmy:\"17,inline\"`\n}\n\n" +
	"type Qqb struct {\n\tQqa string `zmy:\"0\"`\n\tQqb bool `zmy:\"1\"`\n\tunknown zmy.Unknown\n}\n\ntype Qqr struct {\n\tQqa " +
	"int32 `zmy:\"0\"`\n}\n\n" +
	"//zmy:union Qqb=1 Qqs=2\ntype Qqe interface{ isQqe() }\n\nfunc (Qqb) isQqe() {}\n\nfunc (Qqs) isQqe() " +
	"{}\n\n//zmy:sparse\ntype Qqs struct {\n\tQqa string `zmy:\"0\"`\n\tQqb int8 `zmy:\"1\"`\n}\n\n" +
	"type Qqj uint8\n\nconst (\n\tQqt Qqj = 1\n\tQqu Qqj = 2\n)\n"

var (
	commented  = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*|"(\\.|[^"\\])*"`)
	identifier = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)
)

// harvest returns the keywords and the identifiers of generated code, each once, in the
// case of a word that Go exports.
func harvest(t *testing.T) []string {
	t.Helper()
	writeFile(t, "neutral/in.go", []byte(neutral))
	generateAll(t, "neutral", []string{"Qqa"})
	words := strings.Fields(keywords)
	for _, dir := range []string{"neutral", "java", "rust"} {
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			for _, w := range identifier.FindAllString(commented.ReplaceAllString(string(readFile(t, name)), ""), -1) {
				if !strings.Contains(strings.ToLower(w), "qq") {
					words = append(words, w)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll("rust"); err != nil {
		t.Fatal(err)
	}
	for i, w := range words {
		words[i] = exported(w)
	}
	slices.Sort(words)
	words = slices.Compact(words)
	return slices.DeleteFunc(words, func(w string) bool { return w == "" || slices.Contains(methodNames, w) })
}

// methodNames are the methods of roots, whose names their fields cannot have.
var methodNames = []string{"AppendZMY", "AppendZMYOptions", "UnmarshalZMY", "UnmarshalZMYOptions", "ZMYFingerprint", "ZMYSchema"}

// exported is a word as Go exports it: as_bytes is AsBytes.
func exported(w string) string {
	var out strings.Builder
	for part := range strings.SplitSeq(w, "_") {
		r, n := utf8.DecodeRuneInString(part)
		if n > 0 {
			out.WriteString(string(unicode.ToUpper(r)) + part[n:])
		}
	}
	if s := out.String(); s != "" && unicode.IsLetter(rune(s[0])) {
		return s
	}
	return ""
}

// namer draws a package.
type namer struct {
	r       *rand.Rand
	fields  []string
	taken   map[string]bool // names of the package
	structs []string
	copied  []string // types without locks
	roots   []string
}

// form is a word as it is, or unexported, or with another case or an underscore.
func (n *namer) form(w string) string {
	_, size := utf8.DecodeRuneInString(w)
	first, rest := w[:size], w[size:]
	low := strings.ToLower(first) + rest
	forms := []string{w, w, w, low, low, strings.ToUpper(w), strings.ToLower(w), w + "_", first + "_" + rest, "_" + w, w + "2", "Ä" +
		low, "ä" + low, "世" + w}
	for {
		f := pick(n.r, forms...)
		if !token.IsKeyword(f) && types.Universe.Lookup(f) == nil && f != "init" && f != "main" {
			return f
		}
	}
}

// fresh is a form of the word that the package does not have.
func (n *namer) fresh(w string) string {
	for {
		if f := n.form(w); !n.taken[f] {
			n.taken[f] = true
			return f
		}
		w += "_"
	}
}

// draw writes a package in which each word is the name of a struct, a union, an integer
// type or a constant, and other words are those of fields. All structs are arms.
func (n *namer) draw(pkg string, words []string) string {
	n.taken = map[string]bool{pkg: true, "sync": true, "time": true, "zmy": true, "marker": true}
	var enums, unions, consts []string
	for i, w := range words {
		name := n.fresh(w)
		switch {
		case i < 2:
			unions = append(unions, name)
		case i < 4:
			enums = append(enums, name)
		case i%4 == 0:
			consts = append(consts, name)
		default:
			n.structs = append(n.structs, name)
		}
	}
	n.roots = n.structs[:min(3, len(n.structs))]
	var out strings.Builder
	fmt.Fprintf(&out, "package %s\n\nimport (\n\t\"sync\"\n\t\"time\"\n)\n\nvar _ sync.Mutex\n\nvar _ time.Time\n", pkg)
	for i, u := range unions {
		fmt.Fprintf(&out, "\n//zmy:union")
		for j, s := range n.structs {
			if j%len(unions) == i {
				fmt.Fprintf(&out, " %s=%d", s, j+1)
			}
		}
		fmt.Fprintf(&out, "\ntype %s interface{ marker%d() }\n", u, i)
	}
	for i, e := range enums {
		fmt.Fprintf(&out, "\ntype %s %s\n", e, pick(n.r, "int32", "uint8", "int64"))
		for j, c := range consts {
			if j%len(enums) == i {
				fmt.Fprintf(&out, "\nconst %s %s = %d\n", c, e, j+1)
			}
		}
	}
	named := slices.Concat(n.structs, unions, enums)
	locks := map[string]bool{}
	for _, x := range named {
		if locks[x] = slices.Contains(n.structs, x) && n.r.IntN(4) == 0; !locks[x] {
			n.copied = append(n.copied, x)
		}
	}
	for i, s := range n.structs {
		lock := locks[s]
		star := ""
		if lock || n.r.IntN(2) == 0 {
			star = "*"
		}
		fmt.Fprintf(&out, "\nfunc (%s%s) marker%d() {}\n\ntype %s struct {\n", star, s, i%max(1, len(unions)), s)
		names := map[string]bool{}
		for number := range 9 {
			f := n.form(pick(n.r, append(n.fields[:len(n.fields):len(n.fields)], s, s)...))
			for names[f] || f == fmt.Sprintf("marker%d", i%2) {
				f += "_"
			}
			names[f] = true
			fmt.Fprintf(&out, "\t%s %s `zmy:\"%d\"`\n", f, n.kind(number, named), number)
		}
		if lock {
			fmt.Fprintf(&out, "\t%s sync.Mutex `zmy:\"-\"`\n", "mutex")
		}
		if n.roots[0] == s {
			for j, x := range named {
				fmt.Fprintf(&out, "\tall%d []%s `zmy:\"%d\"`\n", j, x, 9+j)
			}
		}
		out.WriteString("}\n")
	}
	return out.String()
}

// kind is the type of a field.
func (n *namer) kind(i int, named []string) string {
	other := pick(n.r, named...)
	switch i % 9 {
	case 0:
		return "string"
	case 1:
		return pick(n.r, "int32", "uint64", "bool", "float64", "uint16")
	case 2:
		return "[]" + other
	case 3:
		return "map[string]" + pick(n.r, n.copied...) // values of maps are copied
	case 4:
		return "*" + pick(n.r, n.structs...)
	case 5:
		return pick(n.r, "[]string", "[]byte", "[]int64", "time.Time", "*string", "*int16", "[4]int32")
	case 6:
		return pick(n.r, "any", "*time.Time", "map[int8]string", "[]any")
	case 7:
		return "map[string]struct{}"
	}
	if slices.Contains(n.structs, other) {
		return "[]*" + other
	}
	return other
}

// TestNamingRefused gives names that cannot be generated. The error says so, and what to do.
func TestNamingRefused(t *testing.T) {
	long := strings.Repeat("Long", 70)
	var src strings.Builder
	fmt.Fprintf(&src, "package m\n\ntype %s struct {\n\t%[1]s int32 `zmy:\"0\"`\n}\n\ntype In struct {\n\tOf []%[1]s `zmy:\"0\"`\n}\n", long)
	for i, m := range methodNames {
		fmt.Fprintf(&src, "\ntype Method%d struct {\n\t%s int32 `zmy:\"0\"`\n}\n", i, m)
	}
	module(t, "refused", map[string]string{"in.go": src.String(), "predeclared/in.go": "package predeclared\n\ntype string " +
		"struct {\n\tLen int32 `zmy:\"0\"`\n}\n"})
	cases := [][]string{
		{"-output", "-type=" + long},
		{"in.go:3:6: " + long + ": the name of its class", "-type=" + long, "-lang=java", "-package=m", "-o=java"},
		{"rename it", "-type=In", "-lang=java", "-package=m", "-o=java"},
		{"rename it", "-type=string", "./predeclared"},
	}
	for i := range methodNames {
		cases = append(cases, []string{"rename it", fmt.Sprint("-type=Method", i)})
	}
	for _, c := range cases {
		var out bytes.Buffer
		if code := cli.ZMY(c[1:], &out, &out); code != 1 || !strings.Contains(out.String(), c[0]) {
			t.Errorf("%s: exit %d, %s; want 1 and %q", c[1:], code, &out, c[0])
		}
	}
	for _, args := range [][]string{
		{"-type=" + long, "-output=short_zmy.go"},
		{"-type=" + long, "-lang=rust", "-package=m", "-o=rust"},
	} {
		var out bytes.Buffer
		if code := cli.ZMY(args, &out, &out); code != 0 {
			t.Errorf("%s: exit %d, %s", args, code, &out)
		}
	}
}
