package profile

import (
	"path"
	"slices"
	"strings"

	"github.com/zmylab/zmy/scan/site"
)

// Program says which functions of a profile belong to the code base.
type Program struct {
	Modules []string // paths of its modules
	Depends []string // paths of the modules that it requires
	// Functions are those of the source, by name in profiles. They tell main.x of this program from that of
	// another one; nil accepts every name.
	Functions map[string]site.Function
	// Mains are the folders of its commands, relative to the folder of their module. Functions of all
	// commands of the world are named main.x; these are told apart by their files.
	Mains []string
}

// moduleOf returns the module that an import path belongs to, or "". own reports whether it is one of
// the code base.
func (p *Program) moduleOf(pkg string) (module string, own bool) {
	for _, m := range p.Modules {
		if under(pkg, m) && len(m) > len(module) {
			module, own = m, true
		}
	}
	for _, m := range p.Depends {
		if under(pkg, m) && len(m) > len(module) {
			module, own = m, false
		}
	}
	return module, own
}

// owns reports whether a frame is of the code base.
func (p *Program) owns(f Frame) bool {
	pkg := pkgOf(f.Func)
	if pkg != "main" {
		_, own := p.moduleOf(pkg)
		return own
	}
	dir := path.Dir(f.File)
	return p.declares(f) && slices.ContainsFunc(p.Mains, func(m string) bool { return m == "." || strings.HasSuffix("/"+dir, "/"+m) })
}

// declares reports whether the source has a function of package main with the name and the file of a frame. All
// programs have a main.main: its line must agree, too.
func (p *Program) declares(f Frame) bool {
	if p.Functions == nil {
		return true
	}
	fn, ok := p.Functions[plainName(f.Func)]
	if !ok || path.Base(fn.Pos.Filename) != path.Base(f.File) {
		return false
	}
	return f.Func != "main.main" || fn.Pos.Line <= f.Line && f.Line <= fn.End
}

// matcher finds the site of a stack.
type matcher struct {
	program *Program
	byPlace map[string][]*site.Site // by line and the file's name without folders
	byFunc  map[string][]*site.Site
	owned   map[Frame]bool // cache of program.owns
}

func newMatcher(p *Program, sites []*site.Site) *matcher {
	m := &matcher{program: p, byPlace: map[string][]*site.Site{}, byFunc: map[string][]*site.Site{}, owned: map[Frame]bool{}}
	for _, s := range sites {
		k := placeKey(s.Pos.Filename, s.Pos.Line)
		m.byPlace[k] = append(m.byPlace[k], s)
		f := plainName(s.Func)
		m.byFunc[f] = append(m.byFunc[f], s)
	}
	return m
}

func placeKey(file string, line int) string { return path.Base(file) + ":" + itoa(line) }

func (m *matcher) owns(f Frame) bool {
	own, known := m.owned[f]
	if !known {
		own = m.program.owns(f)
		m.owned[f] = own
	}
	return own
}

// hit is the site of a stack.
type hit struct {
	site  *site.Site
	value *site.Value // nil if it is not known which of the site's values it was
	entry int         // index of the codec's outermost frame
	moved bool        // the line differs from the source: only function and call agree
}

// find returns the innermost site of a stack in which a codec works.
func (m *matcher) find(stack []Frame) (hit, bool) {
	for i := 1; i < len(stack); i++ {
		if !m.owns(stack[i]) {
			continue
		}
		s, moved := m.siteAt(stack[i], stack[i-1])
		if s == nil {
			continue
		}
		entry := entryOf(s, stack[:i])
		if entry < 0 { // the framework works, not its codec
			continue
		}
		h := hit{site: s, entry: entry, moved: moved}
		h.value = valueOf(s, stack[i+1:])
		return h, true
	}
	return hit{}, false
}

// siteAt returns the site of a frame that called another one. If no site has the frame's line, it
// returns the nearest one of the same function that calls the same function: the binary may be older
// than the source.
func (m *matcher) siteAt(f, callee Frame) (s *site.Site, moved bool) {
	for _, s := range m.byPlace[placeKey(f.File, f.Line)] {
		if sameFile(f, s) && calls(s.Kind, callee, true) {
			return s, false
		}
	}
	for _, c := range m.byFunc[plainName(f.Func)] {
		if samePackage(f, c.Package, c.Pos.Filename) && calls(c.Kind, callee, false) && (s == nil || away(c, f) < away(s, f)) {
			s = c
		}
	}
	return s, s != nil
}

func away(s *site.Site, f Frame) int { return max(s.Pos.Line-f.Line, f.Line-s.Pos.Line) }

// sameFile reports whether a frame is in the file of a site. The file of a frame is absolute, or begins
// with the module's path if the program was built with -trimpath.
func sameFile(f Frame, s *site.Site) bool {
	return strings.HasSuffix("/"+f.File, "/"+s.Pos.Filename) && samePackage(f, s.Package, s.Pos.Filename)
}

// samePackage reports whether a frame is of a package. Functions of commands are named main.x whatever
// their import path is, so for these the folder must agree as well.
func samePackage(f Frame, pkg, file string) bool {
	got := pkgOf(f.Func)
	if got == pkg {
		return true
	}
	dir := path.Dir(file)
	return got == "main" && (dir == "." || strings.HasSuffix("/"+path.Dir(f.File), "/"+dir))
}

// calls reports whether callee is the function that a kind describes. If that is a method of an
// interface, callee has the same name. If the line is the site's, callee may also be any other function
// of a codec of the same format: a method that was promoted, or the function that an alias stands for.
func calls(k *site.Kind, callee Frame, sameLine bool) bool {
	if plainName(callee.Func) == Symbol(k.Func) {
		return true
	}
	if baseOf(callee.Func) == baseOf(Symbol(k.Func)) && !standard(pkgOf(callee.Func)) {
		return true
	}
	return sameLine && codecOf(callee) == k.Format
}

// entryOf returns the index of the outermost frame below a site in which a codec works, or -1. inner are
// the frames that the site called.
func entryOf(s *site.Site, inner []Frame) int {
	if s.Kind.Value == site.Receiver {
		return len(inner) - 1
	}
	for j := len(inner) - 1; j >= 0; j-- {
		if codecOf(inner[j]) != "" {
			return j
		}
	}
	return -1
}

// valueOf returns the value of a site that the callers on a stack tell, or nil. callers are the frames
// outside of the site's.
func valueOf(s *site.Site, callers []Frame) *site.Value {
	if len(s.Values) == 1 {
		return &s.Values[0]
	}
	var best *site.Value
	depth, alone := -1, true
	for i := range s.Values {
		v := &s.Values[i]
		if len(v.Via) < depth || !through(v.Via, callers) {
			continue
		}
		alone = len(v.Via) > depth
		best, depth = v, len(v.Via)
	}
	if !alone {
		return nil
	}
	return best
}

// through reports whether a stack has the calls of via. The last of them is the nearest to the site.
func through(via []site.Call, callers []Frame) bool {
	for i := len(via) - 1; i >= 0; i-- {
		at := -1
		for k, f := range callers {
			if f.Line == via[i].Pos.Line && strings.HasSuffix("/"+f.File, "/"+via[i].Pos.Filename) {
				at = k
				break
			}
		}
		if at < 0 {
			return false
		}
		callers = callers[at+1:]
	}
	return true
}
