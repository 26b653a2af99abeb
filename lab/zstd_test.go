package lab

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/worker"
)

func TestZstdMedian(t *testing.T) {
	var all []worker.Message
	for i, n := range []int{1000, 1000, 4000} {
		all = append(all, worker.Message{Value: i, Data: []byte(strings.Repeat("abcd", n/4))})
	}
	name := filepath.Join(t.TempDir(), "wire")
	if err := worker.WriteMessages(name, all); err != nil {
		t.Fatal(err)
	}
	if got, err := zstdMedian(name); err != nil || got < 8 || got > 100 {
		t.Errorf("1000 bytes of abcd became %v, %v", got, err)
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, whole[:len(whole)-2], 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := zstdMedian(name); err == nil {
		t.Errorf("a file that is cut short has %v", got)
	}
	if err := worker.WriteMessages(name, nil); err != nil {
		t.Fatal(err)
	}
	if got, err := zstdMedian(name); err != nil || got != 0 {
		t.Errorf("no messages have %v, %v", got, err)
	}
}
