package harness

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestLoaded: a program's loaded bytes are fewer than those of its file, which has symbols besides.
func TestLoaded(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	n := loaded(path)
	if elsewhere := runtime.GOOS == "windows"; elsewhere != (n == 0) || n >= st.Size() || !elsewhere && n < st.Size()/4 {
		t.Errorf("%d bytes of %d are loaded", n, st.Size())
	}
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no program"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n := loaded(text); n != 0 {
		t.Errorf("%d bytes of a text are loaded", n)
	}
}
