//go:build !goexperiment.jsonv2

package fxjson_test

import (
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// stdShim gives encoding/json's own tests fxjson under the names that they use,
// unexported ones included.
const stdShim = `package json

import (
	std "encoding/json"
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

const startDetectingCyclesAfter = 1000

func checkValid(b []byte, _ *scanner) error { return Unmarshal(b, new(RawMessage)) }

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

var (
	syntaxLiteral    = regexp.MustCompile(`&?SyntaxError\{\s*(?:msg:\s*)?("(?:[^"\\]|\\.)*"),\s*(?:Offset:\s*)?(\d+|int64\(len\([^)]*\)\)),?\s*\}`)
	marshalerLiteral = regexp.MustCompile(`&MarshalerError\{([^{}\n]*), (errors\.New\("[^"]*"\)|[^{},\n]*), ("[^"]*")\}`)
)

// TestOfGo runs the tests that the toolchain brings along for encoding/json,
// read where it is installed, against this package.
func TestOfGo(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
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
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"decode", "encode", "stream", "scanner", "number", "tagkey"} {
		text, err := os.ReadFile(filepath.Join(src, name+"_test.go"))
		if err != nil {
			t.Skip("the toolchain comes without its tests: ", err)
		}
		text = syntaxLiteral.ReplaceAll(text, []byte("syntaxError($1, $2)"))
		text = marshalerLiteral.ReplaceAll(text, []byte("marshalerError($1, $2, $3)"))
		write(name+"_test.go", string(text))
	}
	write("shim.go", stdShim)
	lang := strings.TrimPrefix(version.Lang(runtime.Version()), "go")
	write("go.mod", "module example.org/json\n\ngo "+lang+"\n\nrequire github.com/zmylab/zmy v0.0.0\n\nreplace github.com/zmylab/zmy => "+core+"\n")
	cmd := exec.Command("go", "test", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
