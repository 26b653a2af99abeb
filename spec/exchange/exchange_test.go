package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"net"
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
	cmd := exec.Command("cargo", "build", "--quiet", "--locked", "-p", "exchange")
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

// editors are the programs that edit, by their language.
func editors(t *testing.T) map[string]func(from, to string) error {
	list := map[string]func(from, to string) error{
		"go": func(from, to string) error { return run(&bytes.Buffer{}, []string{"edit", from, to}) },
	}
	if _, err := exec.LookPath("javac"); err != nil {
		t.Log("javac is not here: only Go edits")
		return list
	}
	classes := javaEditor(t)
	list["java"] = func(from, to string) error {
		out, err := exec.Command("java", "-cp", classes, "io.github.zmylab.zmy.exchange.Main", from, to).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
		return nil
	}
	return list
}

// javaEditor compiles the Java program and its library, and returns the folder of the classes.
func javaEditor(t *testing.T) string {
	t.Helper()
	classes, sources := t.TempDir(), []string{}
	for _, part := range []string{"zmy/src/main/java", "exchange/src/main/java", "stubs"} {
		err := filepath.WalkDir(filepath.Join("../../java", part), func(name string, _ fs.DirEntry, err error) error {
			if filepath.Ext(name) == ".java" && filepath.Base(name) != "module-info.java" {
				sources = append(sources, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	args := append([]string{"--release", "17", "-encoding", "UTF-8", "-nowarn", "-d", classes}, sources...)
	if out, err := exec.Command("javac", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return classes
}

func TestFile(t *testing.T) {
	program, dir := reader(t), t.TempDir()
	first := filepath.Join(dir, "orders.zmy")
	if err := run(&bytes.Buffer{}, []string{"write", first}); err != nil {
		t.Fatal(err)
	}
	same(t, read(t, program, first), lines(false))
	for name, edit := range editors(t) {
		edited := filepath.Join(dir, name+".zmy")
		if err := edit(first, edited); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		same(t, read(t, program, edited), lines(true))
	}
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
