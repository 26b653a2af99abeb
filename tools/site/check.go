package site

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Pages is a version that was built.
type Pages struct {
	Dir        string // its folder
	Tree       string // the repository that it was built from
	Repository string // address of the repository
	Version    string
}

// bases are paths that a site is served below.
var bases = []string{"/", "/zmy/"}

// Check returns the faults of the pages. Each page closes what it opens, and has a language, a title
// and one first heading; its ids are unique and its images have texts. Each link within the version
// leads to a file and an anchor, whatever the site is served below; each link into the repository
// leads to a file of the tree.
func Check(p Pages) []string {
	c := &checker{pages: p, docs: map[string]*document{}}
	err := filepath.WalkDir(p.Dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(p.Dir, name)
		if err != nil {
			return err
		}
		page := filepath.ToSlash(rel)
		c.files = append(c.files, page)
		if path.Ext(page) != ".html" {
			return nil
		}
		data, err := os.ReadFile(name)
		if err == nil {
			c.docs[page] = parse(data)
		}
		return err
	})
	if err != nil {
		return []string{err.Error()}
	}
	if len(c.docs) == 0 {
		return []string{p.Dir + ": no pages"}
	}
	for _, page := range slices.Sorted(maps.Keys(c.docs)) {
		for _, f := range c.faults(page, c.docs[page]) {
			c.found = append(c.found, page+": "+f)
		}
	}
	return c.found
}

type checker struct {
	pages Pages
	files []string
	docs  map[string]*document
	found []string
}

// document is what Check has to know about a page.
type document struct {
	faults     []string
	ids, links []string
	headings   int
	titled     bool
}

// void are the elements without an end tag.
var void = []string{"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}

// optional are elements whose end tag may be left out.
var optional = []string{"html", "head", "body", "p", "li", "dt", "dd", "option", "thead", "tbody", "tfoot", "tr", "td", "th", "colgroup"}

func parse(data []byte) *document {
	d := new(document)
	var open []string
	for z := html.NewTokenizer(bytes.NewReader(data)); ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			if z.Err() != io.EOF {
				d.fault("%v", z.Err())
			}
			break
		}
		t := z.Token()
		switch kind {
		case html.StartTagToken:
			d.start(t)
			if !slices.Contains(void, t.Data) {
				open = append(open, t.Data)
			}
		case html.SelfClosingTagToken:
			d.start(t)
		case html.EndTagToken:
			for len(open) > 0 && open[len(open)-1] != t.Data && slices.Contains(optional, open[len(open)-1]) {
				open = open[:len(open)-1]
			}
			if len(open) == 0 || open[len(open)-1] != t.Data {
				d.fault("</%s> closes nothing; open is %v", t.Data, open)
				return d
			}
			open = open[:len(open)-1]
		}
	}
	for _, name := range open {
		if !slices.Contains(optional, name) {
			d.fault("<%s> is not closed", name)
		}
	}
	if d.headings != 1 {
		d.fault("%d headings h1", d.headings)
	}
	if !d.titled {
		d.fault("no <title>")
	}
	return d
}

func (d *document) fault(format string, args ...any) {
	d.faults = append(d.faults, fmt.Sprintf(format, args...))
}

// start notes what a start tag has.
func (d *document) start(t html.Token) {
	attrs := map[string]string{}
	for _, a := range t.Attr {
		attrs[a.Key] = a.Val
		switch a.Key {
		case "id":
			if slices.Contains(d.ids, a.Val) {
				d.fault("two elements have the id %q", a.Val)
			}
			d.ids = append(d.ids, a.Val)
		case "href", "src":
			d.links = append(d.links, a.Val)
		}
	}
	switch t.Data {
	case "html":
		if attrs["lang"] == "" {
			d.fault("<html> has no lang")
		}
	case "title":
		d.titled = true
	case "h1":
		d.headings++
	case "img":
		if attrs["alt"] == "" {
			d.fault("image %s has no alt", attrs["src"])
		}
	}
}

// beside are files that Build puts beside the versions.
var beside = []string{"versions.js"}

func (c *checker) faults(page string, d *document) []string {
	out := slices.Clone(d.faults)
	for _, link := range slices.Compact(slices.Sorted(slices.Values(d.links))) {
		u, err := url.Parse(link)
		if err != nil {
			out = append(out, err.Error())
			continue
		}
		if u.Scheme != "" || u.Host != "" {
			if why := c.repository(link); why != "" {
				out = append(out, fmt.Sprintf("link to %s: %s", link, why))
			}
			continue
		}
		for _, base := range bases {
			if why := c.follow(base, page, u); why != "" {
				out = append(out, fmt.Sprintf("below %s, link to %s: %s", base, link, why))
			}
		}
	}
	return out
}

// follow returns why a link leads nowhere if the site is below base, or "".
func (c *checker) follow(base, page string, link *url.URL) string {
	top := base + c.pages.Version + "/"
	to := (&url.URL{Path: top + page}).ResolveReference(link)
	file, within := strings.CutPrefix(to.Path, top)
	if !within {
		if name, ok := strings.CutPrefix(to.Path, base); ok && slices.Contains(beside, name) {
			return ""
		}
		return "it leaves the version"
	}
	if !slices.Contains(c.files, file) {
		return "there is no such file"
	}
	if to.Fragment == "" {
		return ""
	}
	if d := c.docs[file]; d == nil || !slices.Contains(d.ids, to.Fragment) {
		return "the page has no such anchor"
	}
	return ""
}

// repository returns why a link into the repository leads nowhere, or "" also for other addresses.
func (c *checker) repository(link string) string {
	for _, prefix := range []string{"/blob/" + c.pages.Version + "/", "/edit/" + Main + "/"} {
		rest, ok := strings.CutPrefix(link, c.pages.Repository+prefix)
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(rest, "#")
		if _, err := os.Stat(filepath.Join(c.pages.Tree, filepath.FromSlash(name))); err != nil {
			return "the repository has no such file"
		}
	}
	return ""
}
