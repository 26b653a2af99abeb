package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// line is what the Rust program prints of an order.
func line(i int, edited bool) string {
	o := order(i)
	if edited && i%3 == 0 {
		o.Items[0].Qty += 100
		o.Labels["edited"] = "yes"
	}
	qty, price := int32(0), 0.0
	for _, item := range o.Items {
		qty += item.Qty
		price += item.Price
	}
	labels := "channel=" + o.Labels["channel"]
	if e := o.Labels["edited"]; e != "" {
		labels += ",edited=" + e
	}
	return fmt.Sprintf("%s: %d items, %d pieces, %.2f, %s, %d, \"%s\"", o.ID, len(o.Items), qty, price, labels, o.Placed.Unix(), o.Note)
}

func lines(edited bool) string {
	var s strings.Builder
	for i := range orders {
		s.WriteString(line(i, edited) + "\n")
	}
	if edited {
		fmt.Fprintf(&s, "A-new: 1 items, 7 pieces, 0.00, , %d, \"\"\n", time.Time{}.Unix())
	}
	return s.String()
}

// reader builds the Rust program.
func reader(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("cargo"); err != nil {
		t.Skip("cargo is not here")
	}
	if testing.Short() {
		t.Skip("builds a program")
	}
	cmd := exec.Command("cargo", "build", "--quiet", "--offline", "--locked", "-p", "exchange")
	cmd.Dir = filepath.Join("..", "..", "rust")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	name, err := filepath.Abs(filepath.Join(cmd.Dir, "target", "debug", "exchange"))
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func read(t *testing.T, program, source string) string {
	t.Helper()
	out, err := exec.Command(program, source).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func same(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Fatalf("line %d:\n got %s\nwant %s", i, g[i], w[i])
		}
	}
	if len(g) != len(w) {
		t.Fatalf("%d lines, want %d", len(g), len(w))
	}
}

func TestFile(t *testing.T) {
	program, dir := reader(t), t.TempDir()
	first, second := filepath.Join(dir, "orders.zmy"), filepath.Join(dir, "edited.zmy")
	if err := run(&bytes.Buffer{}, []string{"write", first}); err != nil {
		t.Fatal(err)
	}
	same(t, read(t, program, first), lines(false))
	if editor := strings.Fields(os.Getenv("EXCHANGE_EDITOR")); len(editor) > 0 {
		if out, err := exec.Command(editor[0], append(editor[1:], first, second)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	} else if err := run(&bytes.Buffer{}, []string{"edit", first, second}); err != nil {
		t.Fatal(err)
	}
	same(t, read(t, program, second), lines(true))
}

func TestSocket(t *testing.T) {
	program := reader(t)
	l, err := net.Listen("tcp", "127.0.0.1:0") // asks for a port that is free
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	listens := make(chan struct{})
	served := make(chan error, 1)
	go func() { served <- run(writerFunc(func() { close(listens) }), []string{"serve", addr}) }()
	select {
	case <-listens:
	case err := <-served:
		t.Fatal(err)
	}
	same(t, read(t, program, addr), lines(false))
	if err := <-served; err != nil {
		t.Fatal(err)
	}
}

// writerFunc is called once something is printed.
type writerFunc func()

func (f writerFunc) Write(b []byte) (int, error) {
	f()
	return len(b), nil
}
