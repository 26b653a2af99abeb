package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// call follows bytes into a call of which v is an argument, the receiver or the function itself.
func (t *trail) call(v ssa.Value, call ssa.CallInstruction) {
	c := call.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		t.builtin(v, b.Name(), call)
		return
	}
	args := arguments(c)
	callees := t.f.callees(c)
	for _, fn := range callees {
		for i, a := range args {
			if a == v && i < len(fn.Params) {
				t.take(fn.Params[i])
			}
		}
	}
	if len(callees) > 0 && (c.StaticCallee() != nil || t.f.own[c.Method.Pkg()]) {
		return
	}
	if c.StaticCallee() == nil && !c.IsInvoke() {
		if c.Value != v {
			t.end(call.Pos(), "a function value", "it is passed to a function value")
		}
		return
	}
	t.foreign(v, args, call)
}

func (t *trail) builtin(v ssa.Value, name string, call ssa.CallInstruction) {
	switch name {
	case "append":
		t.results(call)
	case "copy":
		if call.Common().Args[1] == v {
			t.into(call.Common().Args[0], 0)
		}
	}
}

// foreign follows bytes into a function of another module.
func (t *trail) foreign(v ssa.Value, args []ssa.Value, call ssa.CallInstruction) {
	c := call.Common()
	name, pkg, recv, method := named(c)
	switch {
	case buffer(recv):
		if len(args) > 0 && args[0] == v { // Bytes, String, WriteTo
			t.results(call)
			if method == "WriteTo" && len(args) > 1 {
				t.written(args[1], call)
			}
		} else {
			t.into(args[0], 0)
		}
	case recv == "" && (pkg == "fmt" && strings.HasPrefix(method, "Fprint") || pkg == "io" && (method == "WriteString" || method == "Copy")):
		if args[0] != v {
			t.written(args[0], call)
		}
	case recv == "io.Writer" && method == "Write", recv == "io.StringWriter", method == "Write" && recv == "bufio.Writer":
		if args[0] != v {
			t.written(args[0], call)
		}
	case passes(pkg, recv, method):
		t.results(call)
	case text(pkg) && method == "NewEncoder": // the bytes are in what it writes to
	default:
		leaves := leaves(pkg, recv, method, name)
		if args != nil && args[0] == v && recv != "" && leaves == "" {
			return // a method of what holds the bytes, such as Close
		}
		t.end(call.Pos(), name, leaves)
	}
}

// named returns the names of a function of another module: recv is the type of its receiver.
func named(c *ssa.CallCommon) (full, pkg, recv, method string) {
	var fn *types.Func
	var of types.Type
	if c.IsInvoke() {
		fn, of = c.Method, c.Value.Type()
	} else if s := c.StaticCallee(); s != nil {
		fn, _ = s.Object().(*types.Func)
		if fn == nil {
			return s.String(), "", "", s.Name()
		}
		if r := fn.Signature().Recv(); r != nil {
			of = r.Type()
		}
	}
	if fn.Pkg() != nil {
		pkg = fn.Pkg().Path()
	}
	if of != nil {
		recv = strings.TrimPrefix(types.TypeString(of, nil), "*")
		if n, ok := types.Unalias(of).(*types.Named); ok && n.Obj().Pkg() != nil {
			pkg = n.Obj().Pkg().Path()
		}
	}
	return fn.FullName(), pkg, recv, fn.Name()
}

func buffer(recv string) bool { return recv == "bytes.Buffer" || recv == "strings.Builder" }

// passes reports whether the results of a function hold the bytes of its arguments.
func passes(pkg, recv, method string) bool {
	switch pkg {
	case "bytes", "strings", "slices":
		return recv == "" && method != "Equal" && method != "Compare" || strings.HasSuffix(recv, ".Reader")
	case "encoding/base64", "encoding/hex":
		return true
	case "fmt":
		return strings.HasPrefix(method, "Sprint") || strings.HasPrefix(method, "Append")
	case "io":
		return method == "NopCloser" || method == "MultiReader" || method == "LimitReader" || method == "ReadAll"
	case "bufio":
		return recv == ""
	case "context":
		return method == "WithValue"
	}
	return false
}

// leaves says how bytes leave the code base by a function of another module, "" if they are not known
// to: the function may send them to a queue, a cache or a store.
func leaves(pkg, recv, method, name string) string {
	switch {
	case recv == "net/http.ResponseWriter":
		return "it is written to an HTTP response"
	case pkg == "net/http":
		return "it is sent by an HTTP request"
	case pkg == "os" || pkg == "io/ioutil" || pkg == "io/fs" || recv == "os.File":
		return "it is written to a file or to the terminal"
	case pkg == "fmt" && strings.HasPrefix(method, "Print"):
		return "it is printed"
	case logs(pkg):
		return "it is logged"
	case hashes(pkg):
		return "it is hashed or signed"
	case (pkg == "bytes" || pkg == "slices") && (method == "Equal" || method == "Compare"):
		return "it is compared"
	case pkg == "database/sql" || strings.HasPrefix(pkg, "github.com/jackc/pgx"):
		return "it goes into a database, whose column may be JSON"
	case text(pkg):
		return "it is used as JSON by " + name
	case pkg == "html/template" || pkg == "text/template":
		return "it is put into a template"
	case strings.HasPrefix(pkg, "github.com/gin-gonic/gin"), strings.HasPrefix(pkg, "github.com/labstack/echo"),
		strings.HasPrefix(pkg, "github.com/gofiber/fiber"):
		return "it is written to an HTTP response"
	}
	return ""
}

// hashes reports whether a package hashes or signs.
func hashes(pkg string) bool {
	return pkg == "hash" || strings.HasPrefix(pkg, "hash/") || strings.HasPrefix(pkg, "crypto/") ||
		strings.HasPrefix(pkg, "golang.org/x/crypto/")
}

// logs reports whether a package logs.
func logs(pkg string) bool {
	for _, p := range []string{"log", "testing", "go.uber.org/zap", "github.com/rs/zerolog", "github.com/sirupsen/logrus",
		"github.com/go-logr/logr", "github.com/hashicorp/go-hclog", "k8s.io/klog", "github.com/golang/glog"} {
		if pkg == p || strings.HasPrefix(pkg, p+"/") {
			return true
		}
	}
	return false
}

// text reports whether a package takes bytes for JSON.
func text(pkg string) bool {
	switch pkg {
	case "encoding/json", "encoding/json/v2", "encoding/json/jsontext", "github.com/zmylab/zmy/fxjson", "github.com/goccy/go-json",
		"github.com/json-iterator/go", "github.com/bytedance/sonic", "github.com/tidwall/gjson", "github.com/tidwall/sjson":
		return true
	}
	return false
}

// document says how the result of a function becomes a part of a document, "" if it does not.
func document(fn *ssa.Function) string {
	if fn.Signature.Recv() == nil {
		return ""
	}
	switch fn.Name() {
	case "MarshalJSON", "MarshalText", "AppendText", "MarshalYAML", "MarshalXML":
		return "it becomes a part of the document that calls " + fn.Name()
	case "Value":
		if fn.Signature.Results().Len() == 2 && fn.Signature.Results().At(0).Type().String() == "database/sql/driver.Value" {
			return "it goes into a database, whose column may be JSON"
		}
	}
	return ""
}

// encoded follows bytes that are written by an encoder.
func (t *trail) encoded(enc ssa.Value, call ssa.CallInstruction) {
	if made, ok := enc.(*ssa.Call); ok && len(made.Call.Args) > 0 && made.Call.Signature().Recv() == nil {
		t.written(made.Call.Args[0], call)
		return
	}
	t.end(call.Pos(), "an encoder", "it is written by an encoder that is kept")
}

// written follows bytes that are written to w.
func (t *trail) written(w ssa.Value, call ssa.CallInstruction) {
	type key struct{ w ssa.Value }
	if t.seen[key{w}] {
		return
	}
	t.seen[key{w}] = true
	if _, is := w.Type().Underlying().(*types.Interface); !is || w.Type().String() == "net/http.ResponseWriter" {
		t.writtenTo(w, call)
		return
	}
	switch x := w.(type) {
	case *ssa.MakeInterface:
		t.written(x.X, call)
		return
	case *ssa.ChangeInterface:
		t.written(x.X, call)
		return
	case *ssa.Parameter:
		if t.argument(x, func(arg ssa.Value) { t.written(arg, call) }) {
			return
		}
	case *ssa.Phi:
		for _, e := range x.Edges {
			t.written(e, call)
		}
		return
	case *ssa.UnOp:
		if g, ok := x.X.(*ssa.Global); ok && g.Pkg != nil && g.Pkg.Pkg.Path() == "os" {
			t.end(call.Pos(), g.String(), "it is written to a file or to the terminal")
			return
		}
	}
	name := types.TypeString(w.Type(), nil)
	why := "it is written to " + article(name) + ", behind which there may be anything"
	if strings.HasPrefix(name, "net.") {
		why = ""
	}
	t.end(call.Pos(), name, why)
}

// writtenTo follows bytes that are written to a value of a known type.
func (t *trail) writtenTo(w ssa.Value, call ssa.CallInstruction) {
	name := strings.TrimPrefix(types.TypeString(w.Type(), nil), "*")
	pkg, _, _ := strings.Cut(name, ".")
	if i := strings.LastIndex(name, "."); i >= 0 {
		pkg = name[:i]
	}
	switch {
	case buffer(name):
		t.into(w, 0)
	case pkg == "bufio" || pkg == "compress/gzip":
		t.under(w, call)
	default:
		for _, m := range t.f.methods { // a writer of the module
			if m.Name() == "Write" && types.Identical(m.Signature.Recv().Type(), w.Type()) && len(m.Params) == 2 {
				t.take(m.Params[1])
				return
			}
		}
		t.end(call.Pos(), name, leaves(pkg, name, "Write", name))
	}
}

// under follows bytes that are written to w, which a function such as bufio.NewWriter has made.
func (t *trail) under(w ssa.Value, call ssa.CallInstruction) {
	if x, ok := w.(*ssa.Extract); ok {
		w = x.Tuple
	}
	if made, ok := w.(*ssa.Call); ok && len(made.Call.Args) > 0 {
		t.written(made.Call.Args[0], call)
		return
	}
	name := types.TypeString(w.Type(), nil)
	t.end(call.Pos(), name, "it is written to "+article(name)+", behind which there may be anything")
}

func article(name string) string {
	if strings.ContainsRune("aeiouAEIOU", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}
