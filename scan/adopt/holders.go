package adopt

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// holder returns the variable that the use initializes, nil if the use is none of the forms
//
//	var json = jsoniter.ConfigFastest
//	json := jsoniter.ConfigFastest
func (f *goFile) holder(u *use, sel *ast.SelectorExpr, conf config, parents []ast.Node) *holder {
	h := &holder{codec: u.codec, config: conf, name: sel.Sel.Name, file: f, use: u}
	u.quiet = true
	if len(parents) < 2 {
		return nil
	}
	switch n := parents[len(parents)-1].(type) {
	case *ast.ValueSpec:
		if len(n.Names) != 1 || len(n.Values) != 1 || n.Type != nil {
			return nil
		}
		h.obj, h.decl = f.pkg.TypesInfo.Defs[n.Names[0]], n
		if gen, ok := parents[len(parents)-2].(*ast.GenDecl); ok && len(gen.Specs) == 1 {
			h.decl = gen
		}
	case *ast.AssignStmt:
		id, ok := n.Lhs[0].(*ast.Ident)
		if len(n.Lhs) != 1 || n.Tok != token.DEFINE || !ok {
			return nil
		}
		h.obj, h.decl = f.pkg.TypesInfo.Defs[id], n
	}
	if h.obj == nil {
		return nil
	}
	return h
}

// spread decides on all uses of the variable in the package. If all of them change, the variable is
// removed; if one stays, it stays too, and the others change one by one.
func (h *holder) spread(files []*goFile, o *Options) {
	global := h.obj.Parent() == h.obj.Pkg().Scope()
	remove := !(global && (token.IsExported(h.obj.Name()) || h.file.tests(h.obj.Name())))
	var touched []*goFile
	gone, why := h.line()
	again := cmp.Or(h.setAgain(files), why)
	for _, f := range files {
		reason := cmp.Or(f.whole(), f.prog.hooked(h.codec), again)
		var stack []ast.Node
		ast.Inspect(f.syn, func(n ast.Node) bool {
			if n == nil {
				stack = stack[:len(stack)-1]
				return true
			}
			stack = append(stack, n)
			id, ok := n.(*ast.Ident)
			if !ok || f.pkg.TypesInfo.Uses[id] != h.obj {
				return true
			}
			u := &use{codec: h.codec, holds: h, site: Site{Pos: f.prog.where(f.pkg.Fset, id.Pos()), Call: id.Name, Why: reason}}
			f.uses = append(f.uses, u)
			if reason == "" {
				f.method(u, id, h.config, h.name, stack[:len(stack)-1], o)
			}
			remove = remove && !u.stays()
			touched = append(touched, f)
			return true
		})
	}
	if !remove {
		h.use.site.Why = "the variable " + h.obj.Name() + " has uses that stay, or that tests or other packages may have"
		return
	}
	h.file.gone = append(h.file.gone, gone)
	h.use.site.Become = "removed"
	h.use.edits = []edit{{}} // it is replaced by nothing: what gone removes
	if global && h.obj.Name() == "json" {
		for _, f := range touched {
			f.prefer = "json"
		}
	}
}

// line returns the edit that removes the variable, and the reason against it if it shares its line with
// other code.
func (h *holder) line() (gone edit, why string) {
	from, to := h.file.offset(h.decl.Pos()), h.file.offset(h.decl.End())
	if gen, ok := h.decl.(*ast.GenDecl); ok && gen.Doc != nil {
		from = h.file.offset(gen.Doc.Pos())
	}
	gone = h.file.lines(from, to)
	before, behind := strings.TrimSpace(string(h.file.text[gone.from:from])), strings.TrimSpace(string(h.file.text[to:gone.to]))
	if before != "" || behind != "" && !strings.HasPrefix(behind, "//") {
		why = "the variable " + h.obj.Name() + " shares its line with other code; run gofmt first"
	}
	return gone, why
}

// setAgain returns the reason why no use of the variable changes: it is set again, so that it may hold
// another configuration, or its address is taken. "" if neither is.
func (h *holder) setAgain(files []*goFile) (why string) {
	for _, f := range files {
		is := func(e ast.Expr) bool {
			id, ok := ast.Unparen(e).(*ast.Ident)
			return ok && f.pkg.TypesInfo.Uses[id] == h.obj
		}
		ast.Inspect(f.syn, func(n ast.Node) bool {
			set := false
			switch n := n.(type) {
			case *ast.AssignStmt:
				set = slices.ContainsFunc(n.Lhs, is)
			case *ast.UnaryExpr:
				set = n.Op == token.AND && is(n.X)
			}
			if set {
				why = fmt.Sprintf("the variable %s is set again in %s:%d, and may hold another configuration",
					h.obj.Name(), f.name, f.prog.where(f.pkg.Fset, n.Pos()).Line)
			}
			return true
		})
	}
	return why
}

// lines extends a part of the text to whole lines, with one empty line behind it if there is one
// before it too.
func (f *goFile) lines(from, to int) edit {
	for from > 0 && f.text[from-1] != '\n' {
		from--
	}
	for to < len(f.text) && f.text[to] != '\n' {
		to++
	}
	to = min(to+1, len(f.text))
	if to < len(f.text) && f.text[to] == '\n' && (from < 2 || f.text[from-2] == '\n') {
		to++
	}
	return edit{from, to, ""}
}

// method decides on a method of a configuration: x is jsoniter.ConfigFastest, or a variable that
// holds it.
func (f *goFile) method(u *use, x ast.Expr, conf config, name string, parents []ast.Node, o *Options) {
	u.quiet = false
	sel, ok := parents[len(parents)-1].(*ast.SelectorExpr)
	if !ok || sel.X != x {
		u.quiet, u.site.Why = true, "the configuration is passed on or kept"
		return
	}
	u.site.Call, u.writes = f.src(sel), ""
	method := sel.Sel.Name
	if strings.HasPrefix(method, "Marshal") || method == "NewEncoder" {
		u.writes = name + "." // change adds the function
	}
	parents = parents[:len(parents)-1]
	switch {
	case method == "Marshal":
		f.change(u, sel, method, conf.marshal, parents, o)
	case method == "Unmarshal" || method == "Valid" || method == "NewDecoder",
		(method == "MarshalIndent" || method == "NewEncoder") && conf.plain:
		f.change(u, sel, method, "FX."+method, parents, o)
	case strings.HasPrefix(u.codec.become[method], "FX.Unmarshal"):
		f.change(u, sel, method, u.codec.become[method], parents, o)
	case method == "MarshalIndent" || method == "NewEncoder":
		u.site.Why = "with " + name + " it writes other bytes than fxjson's"
	default:
		u.site.Why = "fxjson has nothing in its place"
	}
	if !u.stays() && conf.differs != "" && method == "Marshal" {
		u.site.Become += ", where " + conf.differs
	}
}
