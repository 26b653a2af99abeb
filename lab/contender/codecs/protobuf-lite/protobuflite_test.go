package protobuflite

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
	"github.com/zmylab/zmy/lab/contender/internal/protomsg"
)

// TestRoundTrip takes kinds of types through the codec, some through each row: the conversions are
// the family's. Whatever changes is named here.
func TestRoundTrip(t *testing.T) {
	labtest.RoundTrips(t, Info, map[string][]string{"kinds All": {"normalised S.Bytes empty → nil"}})
	labtest.RoundTrips(t, NativeInfo, map[string][]string{"kinds Dynamic": nil})
}

// TestLite holds protobuf-lite to what its row says: what a program of a small
// machine would hold, the generated code and what that imports, takes no reflection
// from the standard library, and builds for 32 bits. TinyGo itself is not needed.
func TestLite(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	src := labtest.Generate(t, Info, "examples/sse SSEEvent")
	dir := t.TempDir()
	for name, data := range src.Module {
		if !strings.HasPrefix(name, "pb/") && !strings.HasPrefix(name, "go.") {
			continue
		}
		name = filepath.Join(dir, filepath.FromSlash(name))
		data = []byte(strings.TrimPrefix(string(data), "//go:build ignore\n"))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOOS=linux", "GOARCH=arm", "CGO_ENABLED=0")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run("build", "./pb")
	seen := false
	for line := range strings.Lines(run("list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}} {{.Imports}}{{end}}", "./pb")) {
		pkg, imports, _ := strings.Cut(strings.TrimSpace(line), " ")
		seen = seen || pkg == protomsg.Path
		if strings.Contains(" "+strings.Trim(imports, "[]")+" ", " reflect ") {
			t.Errorf("%s imports reflect", pkg)
		}
	}
	if !seen {
		t.Error("the generated package is not among those that were looked at")
	}
}
