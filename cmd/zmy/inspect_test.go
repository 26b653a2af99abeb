package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/adapters/zstdx"
	"github.com/zmylab/zmy/examples/order"
	"github.com/zmylab/zmy/schema"
)

// samples are files with the same orders in each form, and the first order.
type samples struct {
	dir   string
	first order.Order
	list  []order.Order
}

func (s *samples) path(name string) string { return filepath.Join(s.dir, name) }

func (s *samples) write(t *testing.T, name string, b []byte, err error) {
	t.Helper()
	if err == nil {
		err = os.WriteFile(s.path(name), b, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

const orderType = "../../examples/order.Order"

func makeSamples(t *testing.T) *samples {
	t.Helper()
	s := &samples{dir: t.TempDir()}
	r := rand.New(rand.NewPCG(1, 1))
	for range 25 {
		s.list = append(s.list, order.SampleOrder(r))
	}
	s.first = s.list[0]
	types, err := schema.For[order.Order]()
	if err != nil {
		t.Fatal(err)
	}
	block, err := types.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	z, err := zstdx.NewZstd(zstdx.ZstdOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := zmy.Marshal(&s.first)
	s.write(t, "order.zmy", b, err)
	bad := bytes.Clone(b)
	bad[bytes.Index(b, []byte(s.first.Items[3].Details.Description))+5] |= 0x80
	s.write(t, "bad.zmy", bad, nil)
	s.write(t, "short.zmy", b[:len(b)-5], nil)
	s.write(t, "empty.zmy", nil, nil)
	text, err := json.Marshal(&s.first)
	s.write(t, "order.json", text, err)
	b, err = zmy.SealOptions{Schema: block, Fingerprint: types.Fingerprint()}.Seal(&s.first)
	s.write(t, "order.env", b, err)
	b[len(b)-1] ^= 1
	s.write(t, "sum.env", b, err)
	b, err = zmy.SealOptions{Compressor: z}.Seal(&s.first)
	s.write(t, "small.env", b, err)
	var stream bytes.Buffer
	w := zmy.SealOptions{Schema: block, Compressor: z, ChunkSize: 500}.NewWriter(&stream)
	var lines bytes.Buffer
	for i := range s.list {
		if err := w.Marshal(&s.list[i]); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(&s.list[i])
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(text, '\n'))
	}
	err = w.Close()
	s.write(t, "orders.stream", stream.Bytes(), err)
	s.write(t, "cut.stream", stream.Bytes()[:stream.Len()-20], err)
	s.write(t, "orders.ndjson", lines.Bytes(), nil)
	return s
}

// runs runs a command and returns what it has written.
func runs(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = dispatch(t.Context(), &console{&out, &errs}, args)
	return code, out.String(), errs.String()
}

// TestInspect: each form is recognised or told, damaged ones are shown and named.
func TestInspect(t *testing.T) {
	s := makeSamples(t)
	for _, c := range []struct {
		args   string
		code   int
		stdout []string // parts of it
		stderr string
	}{
		{"order.zmy -type T", 0, []string{"bare message, ", "of type Order", ", valid", "000000  0c c0 00 00",
			"header: S = 12 bytes of scalars, N = 3 tails", `ID string = "ORD-`, `Items[0].Details.WeightGrams int32 = `}, ""},
		{"order.zmy", 0, []string{"type not known", "guess scalars = 12 bytes: 20", `tail0 guess string = "ORD-`,
			"tail1 guess list of structs", "tail2 guess map"}, ""},
		{"order.zmy -type T -format tree", 0, []string{"message Order  @0+", "    [0] Item  @", `      Sku string = "SKU-`}, ""},
		{"order.zmy -type T -field Items[1].Sku", 0, []string{`Items[1].Sku string = "SKU-`}, ""},
		{"order.zmy -type T -field Items[99]", 2, nil, "there is no such field"},
		{"order.zmy -type T -envelope", 1, []string{"envelope, "}, "not a ZMY envelope"},
		{"bad.zmy -type T", 1, []string{"NOT VALID: UTF8 at offset ", "◀ UTF8: invalid UTF-8"},
			"Order.Items[3].Details.Description: invalid UTF-8 at offset "},
		{"bad.zmy -type T -format tree", 1, []string{"◀ UTF8"}, "(code UTF8)"},
		{"bad.zmy -type T -format json", 1, nil, "-format hex shows what is there"},
		{"short.zmy -type T", 1, []string{"damaged: tail 2 ends at ", "◀ ENDS"}, "(code ENDS)"},
		{"short.zmy", 1, []string{"damaged: tail 2 ends at "}, "no message: tail 2 ends at"},
		{"empty.zmy", 1, nil, "there is nothing"},
		{"order.env", 0, []string{"envelope, ", "(by its first bytes; -bare", `magic "ZMY", version 1`, "flags: CHECKSUM, SCHEMA",
			"checksum right", "of type Order", `ID string = "ORD-`}, ""},
		{"order.env -bare", 1, []string{"A bare message, though it begins like an envelope"}, "no message"},
		{"sum.env", 1, []string{"flags: CHECKSUM, SCHEMA", "body, "}, "checksum does not match"},
		{"small.env -type T", 0, []string{"compressed by zstd, no schema block", "decompressed from ", "valid"}, ""},
		{"orders.stream -format tree", 0, []string{"stream (by its first bytes", "record 0, ", "record 9, ",
			"15 records more (-all shows them"}, ""},
		{"orders.stream -record 12 -format tree", 0, []string{"record 12, ", " chunks at offset "}, ""},
		{"orders.stream -record 25", 2, nil, "the stream has 25, counted from 0"},
		{"cut.stream -format tree", 1, []string{"record 0, "}, "ends without its last chunk"},
		{"nowhere.zmy", 2, nil, "no such file"},
		{"order.zmy -type ../../examples/order", 2, nil, "name the type behind the package"},
		{"order.zmy -type ../../examples/order.Ordr", 2, nil, "did you mean Order?"},
		{"order.zmy -type ../../nowhere.Order", 2, nil, "-type ../../nowhere.Order"},
		{"order.zmy -format xml", 2, nil, "choose hex, tree, json"},
		{"order.zmy -format json", 2, nil, "-format json needs the type"},
		{"order.zmy -bare -stream", 2, nil, "exclude each other"},
		{"order.zmy more", 2, nil, "one file at a time"},
		{"", 2, nil, "name a file"},
	} {
		t.Run(c.args, func(t *testing.T) {
			args := strings.Fields(c.args)
			for i := range args {
				if _, err := os.Stat(s.path(args[i])); err == nil {
					args[i] = s.path(args[i])
				} else if args[i] == "T" {
					args[i] = orderType
				}
			}
			code, stdout, stderr := runs(t, append([]string{"inspect"}, args...)...)
			if code != c.code || !strings.Contains(stderr, c.stderr) || c.stderr == "" && stderr != "" {
				t.Errorf("exit %d, want %d; %s", code, c.code, stderr)
			}
			for _, part := range c.stdout {
				if !strings.Contains(stdout, part) {
					t.Errorf("it does not show %q", part)
				}
			}
			if t.Failed() {
				t.Logf("\n%.3000s", stdout)
			}
		})
	}
}

// TestInspectJSON: the message as encoding/json writes the Go value.
func TestInspectJSON(t *testing.T) {
	s := makeSamples(t)
	code, stdout, stderr := runs(t, "inspect", s.path("order.zmy"), "-type", orderType, "-format", "json")
	want, err := json.Marshal(&s.first)
	if err != nil {
		t.Fatal(err)
	}
	if code != 0 || strings.TrimSpace(stdout) != string(want) {
		t.Errorf("exit %d, %s\n got %s\nwant %s", code, stderr, stdout, want)
	}
}

// TestInspectStdin reads a pipe, and takes the schema from a lock file.
func TestInspectStdin(t *testing.T) {
	dir := writeTree(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"m.go":   "package m\n\ntype Order struct {\n\tID string `zmy:\"0\"`\n}\n",
	})
	t.Setenv("GOWORK", "off")
	if code, _, stderr := runs(t, "lock", dir); code != 0 {
		t.Fatal(stderr)
	}
	defer func() { stdin = os.Stdin }()
	for _, c := range []struct {
		typ, holds string
		code       int
	}{{"Order", `ID string = "A1"`, 0}, {"Ordr", "did you mean Order?", 2}} {
		stdin = strings.NewReader("\x00\x40\x00\x00\x08\x00A1")
		code, stdout, stderr := runs(t, "inspect", "-", "-lock", filepath.Join(dir, "zmy.lock"), "-type", c.typ, "-format", "tree")
		if code != c.code || !strings.Contains(stdout+stderr, c.holds) {
			t.Errorf("%s: exit %d, %s\n%s", c.typ, code, stderr, stdout)
		}
	}
}

// TestInspectEscapes: names in a schema that came with the message reach the
// terminal spelled out.
func TestInspectEscapes(t *testing.T) {
	s := &samples{dir: t.TempDir()}
	const evil = "\x1b]0;owned\a\u202e"
	types := &schema.Schema{Types: []schema.Type{
		{Kind: schema.Struct, Name: "T" + evil, Fields: []schema.Field{{Type: 1, Name: "A" + evil, JSON: "a" + evil},
			{Number: 1, Type: 2, Name: "B" + evil}}},
		{Kind: schema.Int8, Values: []schema.Value{{Name: "V" + evil, Number: 1}}},
		{Kind: schema.Struct, Name: "U" + evil, Fields: []schema.Field{{Type: 3, Name: "C" + evil}}},
		{Kind: schema.Bool},
	}}
	block, err := types.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	good := "\x01\x40\x00\x00\x01\x0c\x00\x01\x00\x00\x00\x01"
	for name, msg := range map[string]string{"good": good, "bad": good[:len(good)-1] + "\x02"} {
		b, err := zmy.SealOptions{Schema: block}.AppendMessage(nil, []byte(msg))
		s.write(t, name, b, err)
		for _, args := range []string{"inspect F -all", "inspect F -format tree", "inspect F -format json", "inspect F -field X",
			"convert F -from envelope -to ndjson", "convert F -from envelope -to ndjson -on-error skip"} {
			code, stdout, stderr := runs(t, strings.Fields(strings.ReplaceAll(args, "F ", s.path(name)+" "))...)
			if strings.ContainsAny(stdout+stderr, "\x1b\a") || strings.Contains(stderr, "\u202e") {
				t.Errorf("%s, %s:\n%q\n%q", name, args, stdout, stderr)
			}
			if strings.HasSuffix(args, "tree") && (code != 0) != (name == "bad") {
				t.Errorf("%s: exit %d, %s", name, code, stderr)
			}
		}
	}
}
