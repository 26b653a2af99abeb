package house

import "strings"

// CheckImports applies every import rule to the project's packages.
func CheckImports(g Graph) []Violation {
	var out []Violation
	for path := range g {
		for _, r := range importRules {
			if !r.subject(path) {
				continue
			}
			for _, what := range r.breaches(g, path) {
				out = append(out, Violation{Where: short(path), What: what, Rule: r.text})
			}
		}
	}
	return sorted(out)
}

// importRule forbids some packages to import certain others.
type importRule struct {
	text     string
	subject  func(path string) bool
	forbids  func(path, imported string) bool
	indirect bool // imports through other packages of the project count too
	tests    bool // imports of tests count too
}

func (r importRule) breaches(g Graph, path string) []string {
	var out []string
	p := g[path]
	for _, i := range p.Imports {
		if r.forbids(path, i) {
			out = append(out, "imports "+short(i))
		}
	}
	if r.tests {
		for _, i := range p.Tests {
			if r.forbids(path, i) {
				out = append(out, "its tests import "+short(i))
			}
		}
	}
	if r.indirect {
		for i, chain := range g.reach(path) {
			if len(chain) > 2 && r.forbids(path, i) {
				out = append(out, "imports "+short(i)+" through "+short(chain[len(chain)-2]))
			}
		}
	}
	return out
}

var importRules = []importRule{
	{
		text:    "the core module requires no third-party module, and nothing in it imports gen or lab",
		subject: isCore,
		forbids: func(_, i string) bool { return !isStandard(i) && !isCore(i) },
		tests:   true,
	},
	{
		text:    "wire imports no sibling but internal/keysort",
		subject: in("wire"),
		forbids: func(_, i string) bool { return !isStandard(i) && !within(i, "wire") && !within(i, "internal/keysort") },
	},
	{
		text:    "package zmy imports neither crypto nor net, which every program with a message would link",
		subject: func(p string) bool { return p == Module },
		forbids: func(_, i string) bool {
			return i == "crypto" || i == "net" || strings.HasPrefix(i, "crypto/") || strings.HasPrefix(i, "net/")
		},
		indirect: true,
	},
	{
		text:     "codec never imports nano or sse",
		subject:  in("codec"),
		forbids:  func(_, i string) bool { return within(i, "nano") || within(i, "sse") },
		indirect: true,
	},
	{
		text:     "gen/ir imports neither go/types nor an emitter",
		subject:  in("gen/ir"),
		forbids:  func(_, i string) bool { return i == "go/types" || within(i, "gen/emit") },
		indirect: true,
	},
	{
		text:     "emitters do not import each other",
		subject:  in("gen/emit"),
		forbids:  func(p, i string) bool { return within(i, "gen/emit") && emitter(i) != emitter(p) },
		indirect: true,
	},
	{
		text:    "emitters do not touch the disk",
		subject: in("gen/emit"),
		forbids: func(_, i string) bool { return i == "os" || strings.HasPrefix(i, "os/") || i == "io/ioutil" },
	},
	{
		text:     "lab/stats never imports lab/report",
		subject:  in("lab/stats"),
		forbids:  func(_, i string) bool { return within(i, "lab/report") },
		indirect: true,
	},
	{
		text:    "lab/quantity imports the standard library only",
		subject: in("lab/quantity"),
		forbids: func(_, i string) bool { return !isStandard(i) },
	},
	{
		text:    "only tools imports tools, and only tools and tests import lab/inject: users' programs link neither",
		subject: func(p string) bool { return !within(p, "tools") && !within(p, "lab/inject") },
		forbids: func(_, i string) bool { return within(i, "tools") || within(i, "lab/inject") },
	},
	{
		text: "lab/fidelity, lab/values, lab/worker, scan/compat/side, codec/capture/fit and internal/openloop are compiled beside " +
			"the user's type, so they import the standard library and each other",
		subject: onWorker,
		forbids: func(_, i string) bool { return !isStandard(i) && !onWorker(i) },
	},
	{
		text: "lab/fidelity, lab/values and codec/capture/fit import nothing of net",
		subject: func(p string) bool {
			return within(p, "lab/fidelity") || within(p, "lab/values") || within(p, "codec/capture/fit")
		},
		forbids: func(_, i string) bool { return i == "net" || strings.HasPrefix(i, "net/") },
	},
}

// modules are the folders in the repository that are modules of their own.
var modules = []string{"gen", "lab", "cmd", "adapters", "bench", "tools", "java", "rust", "scan"}

// isCore reports whether an import path belongs to the core module.
func isCore(path string) bool {
	if path != Module && !strings.HasPrefix(path, Module+"/") {
		return false
	}
	for _, m := range modules {
		if within(path, m) {
			return false
		}
	}
	return true
}

func onWorker(path string) bool {
	return within(path, "lab/fidelity") || within(path, "lab/values") || within(path, "lab/worker") ||
		within(path, "codec/capture/fit") || within(path, "internal/openloop") || within(path, "scan/compat/side")
}

func in(dir string) func(string) bool {
	return func(path string) bool { return within(path, dir) }
}

// emitter returns the name of an emitter: gobin for …/gen/emit/gobin/internal/x, "" for gen/emit
// itself.
func emitter(path string) string {
	rest, _ := strings.CutPrefix(path, Module+"/gen/emit/")
	if rest == path {
		return ""
	}
	name, _, _ := strings.Cut(rest, "/")
	return name
}
