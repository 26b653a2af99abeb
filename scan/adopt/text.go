package adopt

import (
	"fmt"
	"go/token"
	"io"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// Text prints what was found and made, without the patch, for a terminal of a width.
func (r *Result) Text(w io.Writer, width int) {
	fmt.Fprintf(w, "%s: %s to %s\n", r.Module, count(len(r.Sites), "site changes", "sites change"), targets[r.Codec].title)
	r.table(w, width, r.Sites, func(s Site) string { return s.Become })
	if len(r.Stay) > 0 {
		fmt.Fprintf(w, "\n%s:\n", count(len(r.Stay), "place stays as it is", "places stay as they are"))
		r.table(w, width, brief(r.Stay), func(s Site) string { return s.Why })
	}
	if len(r.Types) > 0 {
		fmt.Fprintln(w, "\ngenerated code:")
		for _, t := range r.Types {
			line := fmt.Sprintf("%s: %s, %s", strings.TrimPrefix(t.Dir+"/"+t.File, "./"), strings.Join(t.Names, ", "),
				count(t.Lines, "line", "lines"))
			if t.File == "" {
				line = fmt.Sprintf("%s: %s had code before", t.Dir, strings.Join(t.Names, ", "))
			}
			if len(t.Golden) > 0 {
				by := "encoding/json"
				if t.easy {
					by = "easyjson"
				}
				line += fmt.Sprintf(" (%s tests %s with documents of %s)", targets[r.Codec].test, some(len(t.Golden), len(t.Names)), by)
			}
			wrap(w, width, "  ", line)
		}
	}
	if len(r.Notes) > 0 {
		fmt.Fprintln(w, "\nread before you merge:")
		for _, n := range r.Notes {
			wrap(w, width, "  ", position(n.Pos)+n.Text)
		}
	}
	r.checks(w, width)
}

// inGenerated is why a place in a generated file stays. mostGenerated is how many of them are listed
// for a folder: generators write hundreds.
const (
	inGenerated   = "the file is generated; its generator has to be changed"
	mostGenerated = 3
)

// brief returns the places that stay. If a folder has more than mostGenerated of them in generated
// files, one row counts these.
func brief(all []Site) (out []Site) {
	counts, files := map[string]int{}, map[string]map[string]bool{}
	for _, s := range all {
		if s.Why == inGenerated {
			dir := path.Dir(s.Pos.Filename)
			if counts[dir]++; files[dir] == nil {
				files[dir] = map[string]bool{}
			}
			files[dir][s.Pos.Filename] = true
		}
	}
	for _, s := range all {
		dir := path.Dir(s.Pos.Filename)
		switch {
		case s.Why != inGenerated || counts[dir] <= mostGenerated:
			out = append(out, s)
		case files[dir] != nil:
			out = append(out, Site{Pos: token.Position{Filename: dir + "/"}, Why: s.Why,
				Call: fmt.Sprintf("%d places in %s", counts[dir], count(len(files[dir]), "file", "files"))})
			files[dir] = nil
		}
	}
	return out
}

func some(n, all int) string {
	if n == all {
		if n == 1 {
			return "it"
		}
		return "them"
	}
	return fmt.Sprintf("%d of them", n)
}

func position(p token.Position) string {
	switch {
	case p.Filename == "":
		return ""
	case p.Line == 0:
		return p.Filename + ": "
	}
	return fmt.Sprintf("%s:%d: ", p.Filename, p.Line)
}

// table prints sites in columns, and the last column in further lines if it is too long.
func (r *Result) table(w io.Writer, width int, sites []Site, last func(Site) string) {
	var first, second int
	for _, s := range sites {
		first = max(first, min(utf8.RuneCountInString(place1(s)), 40))
		second = max(second, min(utf8.RuneCountInString(call(s)), 40))
	}
	for _, s := range sites {
		head := fmt.Sprintf("  %-*s  %-*s  ", first, place1(s), second, call(s))
		text := last(s)
		if utf8.RuneCountInString(head)+utf8.RuneCountInString(text) <= width {
			fmt.Fprintln(w, strings.TrimRight(head+text, " "))
			continue
		}
		fmt.Fprintln(w, strings.TrimRight(head, " "))
		wrap(w, width, "      ", text)
	}
}

func place1(s Site) string { return strings.TrimSuffix(position(s.Pos), ": ") }

func call(s Site) string {
	if s.Type != "" {
		return fmt.Sprintf("%s(%s)", s.Call, s.Type)
	}
	return s.Call
}

// wrap prints a text in lines of at most width columns; further lines are indented by two more.
func wrap(w io.Writer, width int, indent, text string) {
	line := indent
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
			line += word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width:
			fmt.Fprintln(w, line)
			line = indent + "  " + word
		default:
			line += " " + word
		}
	}
	fmt.Fprintln(w, line)
}

// checks prints the outcome of build, vet and tests.
func (r *Result) checks(w io.Writer, width int) {
	if len(r.Checks) == 0 {
		return
	}
	passed, tests := 0, 0
	var before, flaky []Check
	for _, c := range r.Checks {
		if c.After == "" {
			passed++
			tests += c.Tests
		}
		if c.Before != "" {
			before = append(before, c)
		}
		if c.Flaky {
			flaky = append(flaky, c)
		}
	}
	did := "builds, vets and passes its tests"
	what := fmt.Sprintf(" (%s)", count(tests, "test", "tests"))
	if !r.Tested {
		did, what = "builds and vets; no test was run", ""
	}
	fmt.Fprintln(w)
	wrap(w, width, "", "checked: "+pass(passed, len(r.Checks), did)+" after the change"+what)
	for _, c := range before {
		text := "failed before the change: " + c.Before
		if c.After == "" {
			text += "; passes after it"
		}
		wrap(w, width, "  ", c.Package+" "+text)
	}
	for _, c := range r.Checks {
		if c.Vet != "" {
			wrap(w, width, "  ", c.Package+": go vet reported before the change: "+c.Vet)
		}
	}
	for _, c := range flaky {
		wrap(w, width, "  ", c.Package+" failed once after the change, and passed when its tests were run again")
	}
}

func pass(n, all int, did string) string {
	if all == 1 && n == 1 {
		return "the package " + did
	}
	return fmt.Sprintf("%d of %d packages: each %s", n, all, did)
}

// Summary returns the size of the patch in one line.
func (r *Result) Summary() string {
	read, others := r.Read()
	sizes := func(list []Change) (added, removed int) {
		for _, c := range list {
			a, d := c.Lines()
			added, removed = added+a, removed+d
		}
		return added, removed
	}
	a, d := sizes(read)
	text := fmt.Sprintf("%s to read, +%d −%d lines", count(len(read), "file", "files"), a, d)
	if len(others) > 0 {
		a, d := sizes(others)
		text += fmt.Sprintf("; %s made by programs, +%d −%d", count(len(others), "file", "files"), a, d)
	}
	return text
}

// PrintPatch prints the patch. If short is set, files that programs make are only named.
func (r *Result) PrintPatch(w io.Writer, short bool) error {
	for _, c := range r.Changes {
		if short && c.Made {
			continue
		}
		if _, err := w.Write(c.Patch()); err != nil {
			return err
		}
	}
	if !short {
		return nil
	}
	_, others := r.Read()
	others = slices.DeleteFunc(others, func(c Change) bool { return strings.HasPrefix(c.Path, "vendor/") })
	for _, c := range others {
		a, d := c.Lines()
		if _, err := fmt.Fprintf(w, "# %s: +%d −%d lines, in the file of the patch\n", c.Path, a, d); err != nil {
			return err
		}
	}
	return nil
}
