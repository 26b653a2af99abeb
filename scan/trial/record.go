package trial

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// NOTE: The lab shall measure types on the values of the program that is tried. So the program is built once more, after the change, with an
// overlay that has fxjson write down the documents that pass through it. It runs once, and its documents become the lab's samples.

const jsonrt = "github.com/zmylab/zmy/fxjson/jsonrt"

// hooks are put at the beginning of functions of the runtime, which all calls of fxjson pass.
var hooks = []struct{ file, function, call string }{
	{"plan_entry.go", "func AppendWith(b []byte, v any, opt Options) ([]byte, error) {\n", "\tzzRecord(v, nil)\n"},
	{"plan_entry.go", "func MarshalWith(v any, opt Options) ([]byte, error) {\n", "\tzzRecord(v, nil)\n"},
	{"plan_entry.go", "func UnmarshalWith(b []byte, v any, opt Options) error {\n", "\tzzRecord(v, b)\n"},
	{"first.go", "func UnmarshalFirst(b []byte, v any, opt Options) (n int) {\n",
		"\tdefer func() {\n\t\tif n > 0 {\n\t\t\tzzRecord(v, b[:n])\n\t\t}\n\t}()\n"},
}

// recorder is the source of zzRecord. Of each type it keeps the first 64 documents, and 32 of each doubling after that: some 500 of a
// million.
const recorder = `package jsonrt

import (
	"bytes"
	"encoding/json"
	"math/bits"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
)

var zzCounts struct {
	sync.Mutex
	calls map[reflect.Type]int
}

func zzRecord(v any, doc []byte) {
	t := reflect.TypeOf(v)
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil {
		return
	}
	list := t.Kind() == reflect.Slice || t.Kind() == reflect.Array
	name := t
	if list {
		for name = t.Elem(); name.Kind() == reflect.Pointer; name = name.Elem() {
		}
	}
	if name.Name() == "" || name.PkgPath() == "" || strings.ContainsAny(name.Name(), "[]") {
		return
	}
	zzCounts.Lock()
	defer zzCounts.Unlock()
	if zzCounts.calls == nil {
		zzCounts.calls = map[reflect.Type]int{}
	}
	n := zzCounts.calls[t]
	zzCounts.calls[t]++
	if n >= 64 && n&(1<<(bits.Len(uint(n))-6)-1) != 0 {
		return
	}
	if doc == nil {
		var err error
		if doc, err = json.Marshal(v); err != nil {
			return
		}
	}
	docs := []json.RawMessage{doc}
	if list {
		docs = nil
		if json.Unmarshal(doc, &docs) != nil {
			return
		}
	}
	f, err := os.OpenFile(filepath.Join(zzFolder, strings.ReplaceAll(name.PkgPath(), "/", "~")+"."+name.Name()), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	for _, d := range docs {
		var line bytes.Buffer
		if json.Compact(&line, d) == nil {
			line.WriteByte('\n')
			_, _ = f.Write(line.Bytes())
		}
	}
}

`

// overlay writes the file that go build -overlay takes, for a program that writes documents into a folder. dir is that of the runtime.
func overlay(dir, tmp, folder string) (string, error) {
	sources := map[string]string{}
	for _, h := range hooks {
		source, ok := sources[h.file]
		if !ok {
			text, err := os.ReadFile(filepath.Join(dir, h.file))
			if err != nil {
				return "", err
			}
			source = strings.ReplaceAll(string(text), "\r\n", "\n")
		}
		if strings.Count(source, h.function) != 1 {
			return "", fmt.Errorf("%s of another version has no %s", jsonrt, strings.TrimSuffix(h.function, " {\n"))
		}
		sources[h.file] = strings.Replace(source, h.function, h.function+h.call, 1)
	}
	sources["zz_record.go"] = recorder + fmt.Sprintf("const zzFolder = %q\n", folder)
	replace := map[string]string{}
	for file, source := range sources {
		to := filepath.Join(tmp, file)
		if err := os.WriteFile(to, []byte(source), 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(dir, file)] = to
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(tmp, "overlay.json")
	return name, os.WriteFile(name, list, 0o600)
}

// record runs a work once, and returns files with the documents that passed through fxjson, by type as scans name them.
func (t *trial) record(ctx context.Context, w work) (map[string]string, error) {
	row := w.row()
	t.o.Doing(strings.TrimSpace(row.Package+" "+row.Name) + ": recording the documents")
	tmp, err := os.MkdirTemp(t.tmp, "record")
	if err != nil {
		return nil, err
	}
	docs := filepath.Join(t.tmp, "documents", fmt.Sprint(len(t.result.Rows)))
	if err := os.MkdirAll(docs, 0o700); err != nil {
		return nil, err
	}
	hook := func(dir string) (string, error) { return overlay(dir, tmp, docs) }
	program, err := t.copy.BuildAfter(ctx, row.Package, row.Name != "", jsonrt, hook)
	if err != nil {
		return nil, err
	}
	if _, err := w.once(ctx, program, filepath.Join(tmp, "cpu"), filepath.Join(tmp, "heap")); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(docs, "*"))
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, name := range files {
		path, typ, _ := cutLast(filepath.Base(name), ".")
		if path == "main" {
			path = row.Package
		}
		to := name + ".ndjson"
		if err := os.Rename(name, to); err != nil {
			return nil, err
		}
		out[path[strings.LastIndexAny(path, "~/")+1:]+"."+typ] = to
	}
	return out, nil
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
