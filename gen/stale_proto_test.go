package gen_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestStaleProto changes types after their protobuf code was generated. The compiler must refuse the
// code, and its message must say what to do.
func TestStaleProto(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles each change")
	}
	core, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	in := string(readFile(t, "testdata/proto/plain/in.go"))
	code := readFile(t, "testdata/proto/plain/want/order_proto.go")
	t.Chdir(t.TempDir())
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	writeFile(t, "go.mod", []byte("module example.org/stale\n\ngo 1.26\n\nrequire github.com/zmylab/zmy v0.0.0\n\n"+
		"replace github.com/zmylab/zmy => "+core+"\n"))
	writeFile(t, "order_proto.go", code)
	for _, c := range []struct{ name, old, new string }{
		{"nothing", "package plain", "package plain"},
		{"a number", "`proto:\"3,sint\"`", "`proto:\"33,sint\"`"},
		{"an option", "`proto:\"3,sint\"`", "`proto:\"3\"`"},
		{"a type", "Count uint32", "Count int32"},
		{"a new field", "Unknown fxproto.Unknown", "New int `proto:\"99\"`\n\tUnknown fxproto.Unknown"},
		{"a named type", "type Status int32", "type Status int64"},
		{"a struct without a name", "Weight float32", "Weight float64"},
		{"an array", "[4]byte", "[5]byte"},
		{"the number of an arm", "`proto:\"13,oneof\"`", "`proto:\"14,oneof\"`"},
	} {
		src := strings.Replace(in, c.old, c.new, 1)
		if err := os.WriteFile("in.go", []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("go", "build", ".").CombinedOutput()
		if (err == nil) != (c.old == c.new) || err != nil && !strings.Contains(string(out), "changedRunGoGenerate") {
			t.Errorf("%s: %v\n%s", c.name, err, out)
		}
	}
}
