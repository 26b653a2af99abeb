//go:build unix

package serve

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/patience"
)

// Waiting for a command is no system call: only a descriptor that the runtime polls takes
// deadlines. What cannot be polled is read as before.
func TestPipe(t *testing.T) {
	var fd [2]int
	if err := syscall.Pipe(fd[:]); err != nil {
		t.Fatal(err)
	}
	in, out := pipe(fd[0], "commands"), pipe(fd[1], "answers")
	defer in.Close()
	defer out.Close()
	for _, f := range []*os.File{in, out} {
		if err := f.SetDeadline(time.Now().Add(patience.For(time.Minute))); err != nil {
			t.Errorf("%s is not polled: %v", f.Name(), err)
		}
	}
	go out.WriteString("a command\n")
	b := make([]byte, 100)
	if n, err := in.Read(b); err != nil || string(b[:n]) != "a command\n" {
		t.Errorf("%q, %v", b[:n], err)
	}

	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	plain, err := syscall.Open(name, syscall.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f := pipe(plain, name)
	defer f.Close()
	if n, err := f.Read(b); err != nil || string(b[:n]) != "text" {
		t.Errorf("a plain file: %q, %v", b[:n], err)
	}
}
