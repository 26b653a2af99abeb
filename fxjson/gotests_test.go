package fxjson_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// stdShim gives encoding/json's own tests fxjson under the names that they use,
// unexported ones included.
const stdShim = `package json

import (
	std "encoding/json"
	"errors"
	"reflect"
	"unsafe"

	"github.com/zmylab/zmy/fxjson"
)

type (
	RawMessage            = fxjson.RawMessage
	Number                = fxjson.Number
	Delim                 = fxjson.Delim
	Token                 = fxjson.Token
	Marshaler             = fxjson.Marshaler
	Unmarshaler           = fxjson.Unmarshaler
	SyntaxError           = fxjson.SyntaxError
	UnmarshalTypeError    = fxjson.UnmarshalTypeError
	UnmarshalFieldError   = std.UnmarshalFieldError
	InvalidUnmarshalError = fxjson.InvalidUnmarshalError
	InvalidUTF8Error      = std.InvalidUTF8Error
	UnsupportedTypeError  = fxjson.UnsupportedTypeError
	UnsupportedValueError = fxjson.UnsupportedValueError
	MarshalerError        = fxjson.MarshalerError
	Encoder               = fxjson.Encoder
	Decoder               = fxjson.Decoder
	isZeroer              = interface{ IsZero() bool }
	scanner               struct{}
)

var (
	Marshal       = fxjson.Marshal
	MarshalIndent = fxjson.MarshalIndent
	Unmarshal     = fxjson.Unmarshal
	NewEncoder    = fxjson.NewEncoder
	NewDecoder    = fxjson.NewDecoder
	Valid         = fxjson.Valid
	Compact       = fxjson.Compact
	Indent        = fxjson.Indent
	HTMLEscape    = fxjson.HTMLEscape
)

var errUnexpectedEnd = errors.New("unexpected end of JSON input")

const startDetectingCyclesAfter = 1000

func checkValid(b []byte, _ ...*scanner) error { return Unmarshal(b, new(RawMessage)) }

func isValidNumber(s string) bool {
	_, err := Marshal(Number(s))
	return s != "" && err == nil
}

func set(v any, field, text string) {
	f := reflect.ValueOf(v).Elem().FieldByName(field)
	*(*string)(unsafe.Pointer(f.UnsafeAddr())) = text
}

func syntaxError(msg string, offset int64) *SyntaxError {
	e := &SyntaxError{Offset: offset}
	set(e, "msg", msg)
	return e
}

func marshalerError(t reflect.Type, err error, source string) *MarshalerError {
	e := &MarshalerError{Type: t, Err: err}
	set(e, "sourceFunc", source)
	return e
}
`

// constructors stand in the place of literals with unexported fields.
var constructors = map[string]string{"SyntaxError": "syntaxError", "MarshalerError": "marshalerError"}

// withoutLiterals replaces literals of those types by calls of the shim.
func withoutLiterals(t *testing.T, src []byte) []byte {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []byte
	done := 0
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		name, _ := lit.Type.(*ast.Ident)
		if name == nil || constructors[name.Name] == "" || len(lit.Elts) < 2 {
			return true
		}
		at := func(p token.Pos) int { return set.Position(p).Offset }
		var args []string
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			args = append(args, string(src[at(e.Pos()):at(e.End())]))
		}
		out = append(out, bytes.TrimSuffix(src[done:at(lit.Pos())], []byte("&"))...)
		out = append(out, constructors[name.Name]+"("+strings.Join(args, ", ")+")"...)
		done = at(lit.End())
		return false
	})
	return append(out, src[done:]...)
}

// TestOfGo runs the tests that the toolchain brings along for encoding/json,
// read where it is installed, against this package.
func TestOfGo(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("no go command")
	}
	src := filepath.Join(strings.TrimSpace(string(root)), "src", "encoding", "json")
	core, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	names := []string{"decode", "encode", "stream", "scanner", "number", "tagkey"}
	if jsonwire.StdV2 {
		names = []string{"v2_decode", "v2_encode", "v2_stream", "v2_scanner", "v2_tagkey", "internal/jsontest/testcase"}
	}
	for _, name := range names {
		file := name + "_test.go"
		if strings.Contains(name, "/") {
			file = name + ".go"
		}
		text, err := os.ReadFile(filepath.Join(src, file))
		if err != nil {
			t.Skip("the toolchain comes without its tests: ", err)
		}
		text = withoutLiterals(t, text)
		write(file, strings.ReplaceAll(string(text), `"encoding/json/internal/jsontest"`, `"example.org/json/internal/jsontest"`))
	}
	shim := stdShim
	if jsonwire.StdV2 { // its tests declare that themselves
		shim = strings.Replace(shim, "isZeroer              = interface{ IsZero() bool }", "", 1)
	}
	write("shim.go", shim)
	lang := strings.TrimPrefix(version.Lang(runtime.Version()), "go")
	write("go.mod", "module example.org/json\n\ngo "+lang+
		"\n\nrequire github.com/zmylab/zmy v0.0.0\n\nreplace github.com/zmylab/zmy => "+core+"\n")
	cmd := exec.Command("go", "test", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if bytes.Contains(out, []byte("no test")) {
		t.Errorf("no tests were run: %s", out)
	}
}
