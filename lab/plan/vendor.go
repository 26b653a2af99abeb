package plan

import (
	"os"
	"path/filepath"
	"strings"
)

// Vendored is a module in a vendor folder, as its modules.txt lists it.
type Vendored struct {
	Path, Version string
	Go            string   // its go line, or ""
	Packages      []string // import paths of its packages in the folder
}

// vendorDir returns the vendor folder from which the go command takes a module's requirements, or
// "". The go command uses an existing vendor folder unless -mod says otherwise.
func vendorDir(module, goflags string) string {
	for f := range strings.FieldsSeq(goflags) {
		if mod, ok := strings.CutPrefix(strings.TrimLeft(f, "-"), "mod="); ok && mod != "vendor" {
			return ""
		}
	}
	dir := filepath.Join(module, "vendor")
	if _, err := os.Stat(filepath.Join(dir, "modules.txt")); err != nil {
		return ""
	}
	return dir
}

// ParseVendored reads a modules.txt. A module begins with `# path version`, followed by `=> other`
// if it is replaced. Then come `## explicit; go 1.20` and a line for each package.
func ParseVendored(text string) []Vendored {
	var out []Vendored
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case words[0] == "##":
			if _, v, ok := strings.Cut(line, "go "); ok && len(out) > 0 {
				out[len(out)-1].Go = strings.TrimSpace(v)
			}
		case words[0] == "#":
			if len(words) > 2 && words[2] != "=>" { // lines without a version are replacements of all versions
				out = append(out, Vendored{Path: words[1], Version: words[2]})
			}
		case len(out) > 0:
			out[len(out)-1].Packages = append(out[len(out)-1].Packages, words[0])
		}
	}
	return out
}
