package load

import "golang.org/x/tools/go/packages"

// Links looks for the named packages in the package with the import path and in everything that it
// imports. It returns the first found, or "". path is a package that p imports, directly or not.
func (p *Pkg) Links(path string, names ...string) string {
	seen := map[*packages.Package]bool{}
	var from *packages.Package
	var find func(m *packages.Package)
	find = func(m *packages.Package) {
		if seen[m] || from != nil {
			return
		}
		seen[m] = true
		if m.PkgPath == path {
			from = m
			return
		}
		for _, i := range m.Imports {
			find(i)
		}
	}
	if find(p.unit.meta); from == nil {
		return ""
	}
	clear(seen)
	var links func(m *packages.Package) string
	links = func(m *packages.Package) string {
		if seen[m] {
			return ""
		}
		seen[m] = true
		for _, name := range names {
			if m.PkgPath == name {
				return name
			}
		}
		for _, i := range m.Imports {
			if found := links(i); found != "" {
				return found
			}
		}
		return ""
	}
	return links(from)
}
