package zmy

import (
	"strings"

	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
)

// accessors writes the accessors that read the leaf from a view. Mode view verifies the whole
// message first. Mode lazy checks only what it opens on the way. Nothing is written if views do not
// lead to the leaf.
func accessors(f *print.File, funcs []gosrc.Func, leaf string) {
	if leaf == "" {
		return
	}
	var out []string
	limits := f.Ident(print.Pkg{Path: contender.ModulePath + "/adapter", Name: "zzadapter"}.Ident("Limits"))
	for _, m := range []struct{ mode, suffix, args string }{{"view", "Options", "(b, " + limits + ")"}, {"lazy", "Lazy", "(b)"}} {
		open, ok := gosrc.Find(funcs, func(x gosrc.Func) bool {
			return x.Recv == "" && strings.HasPrefix(x.Name, "View") && strings.HasSuffix(x.Name, m.suffix)
		})
		if !ok {
			return
		}
		body, ok := walk(funcs, open.Results[0], leaf)
		if !ok {
			return
		}
		clone := f.Ident(print.Pkg{Path: "strings", Name: "strings"}.Ident("Clone"))
		// Strings from a view point into the message. The other codecs' accessors copy them, so
		// these do too; modes -alias do not.
		for _, way := range []struct{ suffix, mark, own string }{{"", "", clone}, {"-alias", "Alias: true, ", "string"}} {
			out = append(out, "{Mode: "+quote(m.mode+way.suffix)+", Path: "+quote(leaf)+", "+way.mark+"New: func() func([]byte) (string, error) {\n"+
				"return func(b []byte) (string, error) {\nv0, err := "+open.Name+m.args+"\nif err != nil {\nreturn \"\", err\n}\n"+
				strings.ReplaceAll(body, ownMark, way.own)+"}\n}},")
		}
	}
	worker := print.Pkg{Path: contender.LabPath + "/worker", Name: "zzworker"}
	f.P("Accessors: []", worker.Ident("Accessor"), "{")
	for _, s := range out {
		f.P(s)
	}
	f.P("},")
}

func quote(s string) string { return `"` + s + `"` }

// ownMark marks the place of the leaf's conversion: a copy, or none.
const ownMark = "\x00"

// walk writes the steps from a view to the leaf. It follows the results of the views' methods:
// another view, a view that may be absent, an element of a list.
func walk(funcs []gosrc.Func, view, leaf string) (body string, ok bool) {
	at := "v0"
	steps := strings.Split(leaf, ".")
	for i, step := range steps {
		field, indexed := strings.CutSuffix(step, "[0]")
		get, found := gosrc.Find(funcs, func(x gosrc.Func) bool { return x.Recv == view && x.Name == field })
		if !found || strings.Contains(field, "[") || indexed != (len(get.Params) == 1) || indexed && get.Params[0] != "int" {
			return "", false
		}
		call := at + "." + field + "()"
		if indexed {
			body += "if " + at + "." + field + "Len() == 0 {\nreturn \"\", nil\n}\n"
			call = at + "." + field + "(0)"
		}
		next := at + "x"
		switch {
		case len(get.Results) == 1:
			body += next + " := " + call + "\n"
		case get.Results[1] == "bool":
			body += next + ", ok := " + call + "\nif !ok {\nreturn \"\", nil\n}\n"
		default:
			return "", false // this method decodes: it returns no view
		}
		at, view = next, get.Results[0]
		if i == len(steps)-1 {
			return body + "return " + ownMark + "(string(" + at + ")), nil\n", !strings.HasSuffix(view, "View")
		}
	}
	return "", false
}
