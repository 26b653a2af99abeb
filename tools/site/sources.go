package site

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// fronts are pages of the site that no door has: the front pages.
var fronts = []string{"README.md", "README.zh-CN.md"}

// gallery is the name of the page that has no file.
const gallery = "gallery"

// Sources checks the tree without building anything. Every page that the site has is behind a door,
// every page behind a door exists, and links in the pages lead to files and headings that exist.
func Sources(tree string) (faults []string, err error) {
	nav, err := ReadNav(tree)
	if err != nil {
		return nil, err
	}
	have, err := sources(tree)
	if err != nil {
		return nil, err
	}
	listed := slices.Clone(fronts)
	for _, door := range nav.Doors {
		for _, item := range door.Items {
			if item.Page != gallery {
				listed = append(listed, item.Page)
			}
		}
	}
	for _, page := range have {
		if !slices.Contains(listed, page) && path.Base(page) != "report.md" {
			faults = append(faults, fmt.Sprintf("%s/data/site.yaml: %s is behind no door; add it to the items of one", folder, page))
		}
	}
	texts := map[string]*markdown{}
	for _, page := range slices.Compact(slices.Sorted(slices.Values(append(listed, have...)))) {
		m, err := readMarkdown(tree, page, texts)
		if err != nil {
			faults = append(faults, fmt.Sprintf("%s/data/site.yaml: %s cannot be read", folder, page))
			continue
		}
		for _, link := range m.links {
			if why := follow(tree, page, link, texts); why != "" {
				faults = append(faults, fmt.Sprintf("%s: link to %s: %s", page, link, why))
			}
		}
	}
	return faults, nil
}

// sources lists the Markdown files that hugo.yaml mounts by folders.
func sources(tree string) (pages []string, err error) {
	err = filepath.WalkDir(filepath.Join(tree, "docs"), func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(tree, name)
		switch page := filepath.ToSlash(rel); {
		case err != nil:
			return err
		case page == folder:
			return fs.SkipDir
		case path.Ext(page) == ".md":
			pages = append(pages, page)
		}
		return nil
	})
	specs, globErr := filepath.Glob(filepath.Join(tree, "spec/*.md"))
	for _, name := range specs {
		pages = append(pages, "spec/"+filepath.Base(name))
	}
	if err == nil {
		err = globErr
	}
	return pages, err
}

// follow returns why a link of a page leads nowhere, or "".
func follow(tree, page, link string, texts map[string]*markdown) string {
	u, err := url.Parse(link)
	if err != nil {
		return err.Error()
	}
	if u.Scheme != "" || u.Host != "" {
		return ""
	}
	to := page
	if u.Path != "" {
		to = path.Join(path.Dir(page), u.Path)
	}
	if _, err := os.Stat(filepath.Join(tree, filepath.FromSlash(to))); err != nil {
		return "there is no such file"
	}
	if u.Fragment == "" || path.Ext(to) != ".md" {
		return ""
	}
	m, err := readMarkdown(tree, to, texts)
	if err != nil {
		return err.Error()
	}
	if !slices.Contains(m.anchors, u.Fragment) {
		return "no heading of the page has this anchor"
	}
	return ""
}

// markdown is what a page links to, and the anchors of its headings.
type markdown struct{ links, anchors []string }

var parser = goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()

func readMarkdown(tree, page string, texts map[string]*markdown) (*markdown, error) {
	if m := texts[page]; m != nil {
		return m, nil
	}
	data, err := os.ReadFile(filepath.Join(tree, filepath.FromSlash(page)))
	if err != nil {
		return nil, err
	}
	m := parseMarkdown(data)
	texts[page] = m
	return m, nil
}

func parseMarkdown(data []byte) *markdown {
	m := new(markdown)
	_ = ast.Walk(parser.Parse(text.NewReader(data)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			m.links = append(m.links, string(n.Destination))
		case *ast.Image:
			m.links = append(m.links, string(n.Destination))
		case *ast.Heading:
			m.anchors = append(m.anchors, anchor(plain(n, data), m.anchors))
		}
		return ast.WalkContinue, nil
	}) // the function returns no errors
	return m
}

// plain returns the text below a node.
func plain(n ast.Node, data []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Value(data))
		} else {
			b.WriteString(plain(c, data))
		}
	}
	return b.String()
}

// anchor returns the anchor that GitHub and Hugo give a heading. used are those above it on the page.
func anchor(heading string, used []string) string {
	a := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, strings.TrimSpace(heading))
	first := a
	for i := 1; slices.Contains(used, a); i++ {
		a = fmt.Sprintf("%s-%d", first, i)
	}
	return a
}
