package java_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/zmylab/zmy"
)

// maxMethod is how many bytes of a method HotSpot compiles; longer ones stay interpreted.
const maxMethod = 8000

// kinds are the types of many fields, by turns.
var kinds = []struct {
	typ   reflect.Type
	value func(i int) any
}{
	{reflect.TypeFor[string](), func(i int) any { return fmt.Sprintf("text %d é", i) }},
	{reflect.TypeFor[int32](), func(i int) any { return int32(-i) }},
	{reflect.TypeFor[[]string](), func(i int) any { return []string{"a", fmt.Sprint(i)} }},
	{reflect.TypeFor[int64](), func(i int) any { return int64(i) << 40 }},
	{reflect.TypeFor[bool](), func(i int) any { return i%4 != 0 }},
	{reflect.TypeFor[map[string]int32](), func(i int) any { return map[string]int32{"b": 1, "a": int32(i)} }},
	{reflect.TypeFor[uint8](), func(i int) any { return uint8(i) }},
}

const many = 210

// Structs of many fields are handled by several methods, none of which is too large for the
// JVM's compiler, and which together do what one would.
func TestMany(t *testing.T) {
	if _, err := exec.LookPath("javac"); err != nil {
		t.Skip("javac is missing")
	}
	if testing.Short() {
		t.Skip("compiles the Java library")
	}
	dir, classes := t.TempDir(), t.TempDir()
	files, err := generate(t, manySource(t, dir), "Many,ManyKeep,ManySparse", "many")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "many"), 0o777); err != nil {
		t.Fatal(err)
	}
	args := []string{"-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "--release", "17", "-encoding", "UTF-8", "-nowarn", "-d",
		classes, filepath.Join("testdata", "many", "Main.java")}
	for name, src := range files {
		if err := os.WriteFile(filepath.Join(dir, name), src, 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, filepath.Join(dir, name))
	}
	run(t, "javac", append(args, library(t)...)...)
	message := filepath.Join(dir, "message")
	if err := os.WriteFile(message, manyMessage(t), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := run(t, "java", "-XX:TieredStopAtLevel=1", "-cp", classes, "Main", message); strings.TrimSpace(out) != "ok, true" {
		t.Error(out)
	}
	methodSizes(t, classes)
}

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}

// manySource writes the Go package, and returns its folder.
func manySource(t *testing.T, dir string) string {
	t.Helper()
	base, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	var src strings.Builder
	src.WriteString("package many\n\nimport \"github.com/zmylab/zmy\"\n")
	for _, x := range []struct {
		head, tail string
		n          int
	}{{"type Many struct", "", many}, {"type ManyKeep struct", "\n\tunknown zmy.Unknown\n", many - 90},
		{"//zmy:sparse\ntype ManySparse struct", "", many}} {
		src.WriteString("\n" + x.head + " {\n")
		for i := range x.n {
			fmt.Fprintf(&src, "\tF%d %s `zmy:\"%d\"`\n", i, kinds[i%len(kinds)].typ, i)
		}
		src.WriteString(x.tail + "}\n")
	}
	for name, text := range map[string]string{
		"in.go": src.String(),
		"go.mod": fmt.Sprintf("module example.org/many\n\ngo 1.26\n\nrequire github.com/zmylab/zmy v0.0.0\n\nreplace "+
			"github.com/zmylab/zmy => %s\n", base),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// manyMessage is a message of Many, by reflection.
func manyMessage(t *testing.T) []byte {
	t.Helper()
	var fields []reflect.StructField
	for i := range many {
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("F%d", i), Type: kinds[i%len(kinds)].typ, Tag: reflect.StructTag(fmt.Sprintf(`zmy:"%d"`, i)),
		})
	}
	v := reflect.New(reflect.StructOf(fields))
	for i := range many {
		v.Elem().Field(i).Set(reflect.ValueOf(kinds[i%len(kinds)].value(i)))
	}
	b, err := zmy.Marshal(v.Interface())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// library are the sources of the Java library, and of the annotations.
func library(t *testing.T) (names []string) {
	t.Helper()
	for _, dir := range []string{"java/zmy/src/main/java", "java/stubs"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(name string, _ fs.DirEntry, err error) error {
			if filepath.Ext(name) == ".java" && filepath.Base(name) != "module-info.java" {
				names = append(names, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return names
}

var (
	methodLine = regexp.MustCompile(`^  \S.*[);]$`)
	codeLine   = regexp.MustCompile(`^ +(\d+): `)
)

// methodSizes looks at all generated methods but those that run once.
func methodSizes(t *testing.T, classes string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(classes, "many", "*.class"))
	if err != nil || len(names) < 10 {
		t.Fatal(err, names)
	}
	largest, method := 0, ""
	for line := range strings.Lines(run(t, "javap", append([]string{"-c", "-p"}, names...)...)) {
		line = strings.TrimRight(line, "\n")
		if methodLine.MatchString(line) {
			method = line
		}
		m := codeLine.FindStringSubmatch(line)
		if m == nil || strings.Contains(method, "static {}") {
			continue
		}
		if at, err := strconv.Atoi(m[1]); err == nil {
			largest = max(largest, at)
			if at > maxMethod {
				t.Fatalf("more than %d bytes: %s", maxMethod, method)
			}
		}
	}
	t.Logf("the largest method has some %d bytes", largest)
}
