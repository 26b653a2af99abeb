package adopt

import (
	"fmt"
	"go/token"
	"go/types"
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/zmylab/zmy/scan/adopt/flow"
	"github.com/zmylab/zmy/scan/site"
)

// NOTE: a change of format concerns messages, and not places. So this file collects the readers and
// the writers of each type in the whole module, and decides on the uses in files by them: a reader
// changes if some writer of its type can change, a writer if all readers of its type have changed and
// its bytes stay among them.

// message is a struct type with its readers and writers.
type message struct {
	named            *types.Named
	readers, writers []*site.Site
}

// pairs is what is known of the module's messages.
type pairs struct {
	byType map[string]*message    // by the type's name with its package path
	byLine map[string][]site.Site // by "file:line direction"
	ends   map[string][]flow.End  // of the bytes of writers, by "file:line"
	loose  []*site.Site           // readers that take any object: map[string]any, any
	named  map[string]bool        // sites that the caller has named
	note   string                 // what was not looked at; "" for nothing
}

// top returns the named struct type that a value is or points to, nil if it is another type.
func top(t types.Type) *types.Named {
	for {
		switch u := types.Unalias(t).(type) {
		case *types.Pointer:
			t = u.Elem()
		case *types.Named:
			if _, ok := u.Underlying().(*types.Struct); ok {
				return u
			}
			return nil
		default:
			return nil
		}
	}
}

func typeID(n *types.Named) string { return types.TypeString(n, nil) }

func short(n *types.Named) string {
	return types.TypeString(n, func(p *types.Package) string { return p.Name() })
}

func lineKey(file string, line int, d site.Direction) string {
	return fmt.Sprintf("%s:%d %s", file, line, d)
}

func at(s *site.Site) string { return fmt.Sprintf("%s:%d", s.Pos.Filename, s.Pos.Line) }

// dual reports whether a site reads both formats, or writes ZMY.
func dual(s *site.Site) bool { return s.Kind.Codec == dualPath }

// ours reports whether this command can change the site.
func ours(s *site.Site) bool {
	return slices.ContainsFunc(targets[ZMYRead].codecs, func(c *codec) bool { return c.name == s.Kind.Codec })
}

// pair collects the module's messages, once. The copy is as the original then.
func (j *job) pair() error {
	if err := j.findAll(); err != nil || j.pairs != nil {
		return err
	}
	if j.lost != "" {
		return fmt.Errorf("the readers and writers of the module are not known: %s", j.lost)
	}
	p := &pairs{byType: map[string]*message{}, byLine: map[string][]site.Site{}, named: map[string]bool{}}
	for _, s := range j.sites {
		if s.Kind.Format != "json" && !dual(s) {
			continue
		}
		p.add(s)
	}
	for _, name := range j.o.Sites {
		key, err := p.site(name, j.pl.from)
		if err != nil {
			return err
		}
		p.named[key] = true
	}
	j.o.progress("following the bytes of messages")
	var err error
	p.ends, err = flow.Find(j.ctx, flow.Config{Dir: j.t.dir, Tags: j.o.Tags, Env: j.o.env(j.t),
		Results: []string{"encoding/json.Marshal", importPath + ".Marshal"},
		Writers: []string{"(*encoding/json.Encoder).Encode", "(*" + importPath + ".Encoder).Encode"}})
	if j.ctx.Err() != nil {
		return j.ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("follow the bytes of messages: %s", j.t.shorten(err.Error()))
	}
	if j.pl.work != "" && os.Getenv("GOWORK") != "off" {
		p.note = "readers and writers in other modules of the workspace are not seen"
	}
	j.pairs = p
	return nil
}

// add adds a site.
func (p *pairs) add(s *site.Site) {
	key := lineKey(s.Pos.Filename, s.Pos.Line, s.Kind.Direction)
	p.byLine[key] = append(p.byLine[key], *s)
	loose := len(s.Values) == 0
	for _, v := range s.Values {
		n := top(v.Type)
		if n == nil {
			loose = loose || object(v.Type)
			continue
		}
		m := p.byType[typeID(n)]
		if m == nil {
			m = &message{named: n}
			p.byType[typeID(n)] = m
		}
		if s.Kind.Direction == site.Marshal {
			m.writers = append(m.writers, s)
		} else {
			m.readers = append(m.readers, s)
		}
	}
	if loose && s.Kind.Direction == site.Unmarshal && !dual(s) {
		p.loose = append(p.loose, s)
	}
}

// object reports whether any JSON object can be read into values of a type that is no struct.
func object(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	switch u := t.Underlying().(type) {
	case *types.Map, *types.Interface:
		return true
	case *types.Slice: // json.RawMessage
		b, ok := u.Elem().Underlying().(*types.Basic)
		return ok && b.Kind() == types.Byte
	}
	return false
}

// site returns the "file:line" of a site that the caller has named, relative to the module's folder or
// to the folder of the command.
func (p *pairs) site(name, from string) (string, error) {
	file, line, _ := strings.Cut(name, ":")
	for _, f := range []string{path.Clean(file), path.Join(strings.ReplaceAll(from, "\\", "/"), file)} {
		for _, d := range []site.Direction{site.Marshal, site.Unmarshal} {
			if p.byLine[f+":"+line+" "+string(d)] != nil {
				return f + ":" + line, nil
			}
		}
	}
	return "", fmt.Errorf("%s: no call there marshals or unmarshals JSON; name a site as the report does: file.go:LINE", name)
}

// leaves says how the bytes of a writer leave the module, "" if they do not. Where a reader of the
// same type takes them, they stay.
func (p *pairs) leaves(s *site.Site) string {
	if p.named[at(s)] {
		return ""
	}
	for _, e := range p.ends[at(s)] {
		if e.Leaves != "" && !p.reads(e, s) {
			return fmt.Sprintf("%s (%s:%d)", e.Leaves, e.Pos.Filename, e.Pos.Line)
		}
	}
	return ""
}

// reads reports whether an end is a reader of the writer's type.
func (p *pairs) reads(e flow.End, writer *site.Site) bool {
	for _, r := range p.byLine[lineKey(e.Pos.Filename, e.Pos.Line, site.Unmarshal)] {
		for _, v := range r.Values {
			for _, w := range writer.Values {
				if a, b := top(v.Type), top(w.Type); a != nil && b != nil && typeID(a) == typeID(b) {
					return true
				}
			}
		}
	}
	return false
}

// stays returns the reason why a writer stays JSON whatever its readers do, "" if it may change.
func (p *pairs) stays(s *site.Site) string {
	switch {
	case dual(s):
		return ""
	case !ours(s):
		return s.Kind.Func + " writes JSON itself"
	case strings.HasSuffix(s.Kind.Func, "Indent"), strings.HasSuffix(s.Kind.Func, ".Append"), strings.Contains(s.Kind.Func, "Options"):
		return "only Marshal and Encode have a counterpart"
	}
	if why := p.leaves(s); why != "" {
		return why
	}
	return ""
}

// movable returns the reason why no writer of a type can change, "" if one can.
func (p *pairs) movable(n *types.Named, o *Options) string {
	m := p.byType[typeID(n)]
	if o.names(n) && (m == nil || len(m.writers) == 0) {
		return ""
	}
	if m == nil || len(m.writers) == 0 {
		return "nothing in the module marshals " + short(n) + "; if another repository does, name the type in the command"
	}
	why := ""
	for _, w := range m.writers {
		s := p.stays(w)
		if s == "" {
			return ""
		}
		if why == "" {
			why = fmt.Sprintf("nothing that marshals %s can change: %s: %s", short(n), at(w), s)
		}
	}
	return why
}

// jsonOnly returns the readers of a type that do not take ZMY. Readers of other libraries do not count
// for a writer that the caller has named.
func (m *message) jsonOnly(named bool) (out []*site.Site) {
	for _, r := range m.readers {
		if !dual(r) && (ours(r) || !named) {
			out = append(out, r)
		}
	}
	return out
}

// sitesAt returns the sites of a use.
func (p *pairs) sitesAt(u *use, d site.Direction) (out []site.Site) {
	for _, line := range u.lines {
		out = append(out, p.byLine[lineKey(u.site.Pos.Filename, line, d)]...)
	}
	return out
}

// decide decides on the uses of the files.
func (j *job) decide(files []*goFile) error {
	if err := j.pair(); err != nil {
		return err
	}
	for _, f := range files {
		for _, u := range f.uses {
			if u.quiet || u.stays() {
				continue
			}
			why, err := j.judge(u)
			if err != nil {
				return err
			}
			if why != "" {
				u.site.Why, u.site.Become, u.edits = why, "", nil
			}
		}
	}
	return nil
}

// judge returns the reason why a use stays, "" if it changes.
func (j *job) judge(u *use) (why string, err error) {
	if j.o.To == ZMYWrite {
		return j.judgeWriter(u)
	}
	why = "no type is known that is read here"
	some := false // a reader of several types takes both formats of all
	for _, s := range j.pairs.sitesAt(u, site.Unmarshal) {
		if s.Why != "" {
			why = s.Why
		}
		for _, v := range s.Values {
			var not string
			if n := top(v.Type); n == nil {
				not = notStruct("reads", v.Type)
			} else if not, err = j.fits(n, j.pairs.named[at(&s)]); err != nil {
				return "", err
			}
			some = some || not == ""
			why = not
		}
	}
	if some {
		return "", nil
	}
	return why, nil
}

func notStruct(does string, t types.Type) string {
	return "messages of ZMY are structs, and this " + does + " " + types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// judgeWriter returns the reason why a writer stays, "" if it changes.
func (j *job) judgeWriter(u *use) (string, error) {
	sites := j.pairs.sitesAt(u, site.Marshal)
	if len(sites) == 0 {
		return "no value is known that is written here", nil
	}
	for i := range sites {
		s := &sites[i]
		if why := j.pairs.stays(s); why != "" {
			return why + j.hint(s), nil
		}
		if why := s.Why; len(s.Values) == 0 || s.Open != "" {
			if why == "" {
				why = s.Open
			}
			return "not all types that are written here are known: " + why, nil
		}
		for _, v := range s.Values {
			if why := j.unread(v.Type, j.pairs.named[at(s)]); why != "" {
				return why, nil
			}
		}
		u.site.Become += j.goes(s)
	}
	return "", nil
}

// hint tells how to change a site all the same.
func (j *job) hint(s *site.Site) string {
	if j.pairs.leaves(s) == "" || !ours(s) {
		return ""
	}
	return "; if only readers of this module take it there, name " + at(s) + " in the command"
}

// goes says where the bytes of a writer go.
func (j *job) goes(s *site.Site) string {
	var to []string
	for _, e := range j.pairs.ends[at(s)] {
		what := e.What
		if j.pairs.reads(e, s) {
			what = fmt.Sprintf("the reader in %s:%d", e.Pos.Filename, e.Pos.Line)
		}
		if !slices.Contains(to, what) {
			to = append(to, what)
		}
	}
	if to == nil {
		return ""
	}
	return "; the bytes go to " + strings.Join(to, ", ")
}

// unread returns the reason why values of a type cannot be written as ZMY, "" if all readers take
// that.
func (j *job) unread(t types.Type, named bool) string {
	n := top(t)
	if n == nil {
		return notStruct("writes", t)
	}
	m := j.pairs.byType[typeID(n)]
	switch old := m.jsonOnly(named); {
	case len(j.o.Types) > 0 && !j.o.names(n):
		return "another type was asked for"
	case len(old) > 0:
		j.blocked(fmt.Sprintf("%s is read as JSON only in %s", short(n), places(old)))
		return short(n) + " is read as JSON only in " + places(old) + "; " + Command(ZMYRead) + " changes that, or says why not"
	case len(m.readers) == 0 && !j.o.names(n):
		return "nothing in the module unmarshals " + short(n) + "; if another repository does, and takes ZMY, name the type in the command"
	case types.NewMethodSet(types.NewPointer(n)).Lookup(n.Obj().Pkg(), "AppendZMY") == nil:
		if len(m.readers) == 0 {
			return short(n) + " has no code of ZMY; generate it with zmy gen -derive -type=" + n.Obj().Name()
		}
		return short(n) + " has no code of ZMY; " + Command(ZMYRead) + " comes first"
	}
	return ""
}

// blocked records that a writer waits for readers.
func (j *job) blocked(text string) {
	if !slices.Contains(j.r.Blocked, text) {
		j.r.Blocked = append(j.r.Blocked, text)
	}
}

// places lists at most three sites.
func places(sites []*site.Site) string {
	var out []string
	for _, s := range sites {
		out = append(out, at(s))
	}
	slices.Sort(out)
	out = slices.Compact(out)
	if n := len(out); n > 3 {
		return strings.Join(out[:3], ", ") + fmt.Sprintf(" and %d more places", n-3)
	}
	return strings.Join(out, ", ")
}

// others adds the sites of the changed types that this command does not see as uses: those of other
// libraries, of other packages, and readers that take any object.
func (j *job) others(files []*goFile) {
	changed := map[string]bool{}
	seen := map[string]bool{}
	d := site.Unmarshal
	if j.o.To == ZMYWrite {
		d = site.Marshal
	}
	for _, f := range files {
		for _, u := range f.uses {
			for _, line := range u.lines {
				seen[fmt.Sprintf("%s:%d", f.name, line)] = true
			}
			for _, s := range j.pairs.sitesAt(u, d) {
				for _, v := range s.Values {
					if n := top(v.Type); n != nil && !u.stays() && !u.quiet {
						changed[typeID(n)] = true
					}
				}
			}
		}
	}
	for id := range changed {
		m := j.pairs.byType[id]
		for _, s := range append(m.readers[:len(m.readers):len(m.readers)], m.writers...) {
			if seen[at(s)] || dual(s) || s.Kind.Direction != d {
				continue
			}
			why := "it belongs to a package that was not named"
			if !ours(s) {
				why = "it is a call of another library"
			} else if slices.ContainsFunc(j.prog.chosen, func(p *packages.Package) bool { return p.PkgPath == s.Package }) {
				why = "its encoder or decoder is kept in a field or passed on"
			} else if w := j.pairs.stays(s); d == site.Marshal && w != "" {
				why = w
			}
			j.r.Stay = append(j.r.Stay, Site{Pos: s.Pos, Call: s.Kind.Func, Type: "*" + short(m.named), Why: why})
		}
	}
	if len(changed) == 0 {
		return
	}
	if j.pairs.note != "" {
		j.prog.note(token.Position{Filename: "go.work"}, j.pairs.note)
	}
	if d == site.Marshal {
		j.prog.note(token.Position{}, "before this is deployed, no process may be left that reads only JSON: one that does fails on "+
			"every message of ZMY. Readers of other repositories, and of tests, are not seen")
		for _, s := range j.pairs.loose {
			j.prog.note(s.Pos, "it reads any JSON: a message that is ZMY now must not get there")
		}
	}
}
