package contenders

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/mod/module"

	"github.com/zmylab/zmy/lab/contender"
)

// template has the files of a new contender. The words PACKAGE, NAME, FAMILY, MODULE, VERSION and
// RELEASED in them are replaced.
//
//go:embed template
var template embed.FS

// New is a contender that is to be created.
type New struct {
	Name    string // name of the row in reports, and of the folder below lab/contender/codecs
	Family  string // json or binary
	Module  string
	Version string
}

var isName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// Parse parses the arguments NAME MODULE@VERSION [FAMILY].
func Parse(args []string) (n New, err error) {
	if len(args) < 2 || len(args) > 3 {
		return n, errors.New("write NAME MODULE@VERSION, as in goccy github.com/goccy/go-json@v0.12.0, and binary behind it for " +
			"what is no JSON library")
	}
	n = New{Name: args[0], Family: "json"}
	n.Module, n.Version, _ = strings.Cut(args[1], "@")
	if len(args) == 3 {
		n.Family = args[2]
	}
	switch err := module.CheckPath(n.Module); {
	case n.Version == "":
		return n, fmt.Errorf("%s has no version: write MODULE@VERSION, or @latest", n.Module)
	case !isName.MatchString(n.Name):
		return n, fmt.Errorf("%q names no contender: write lower-case letters and digits, with dashes between them", n.Name)
	case n.Family != "json" && n.Family != "binary":
		return n, fmt.Errorf("family %q: choose of json, binary", n.Family)
	default:
		return n, err
	}
}

// Folder returns the contender's folder, relative to lab.
func (n New) Folder() string { return codecs + "/" + n.Name }

// Package returns the name of the contender's package.
func (n New) Package() string { return strings.ReplaceAll(n.Name, "-", "") }

// Make writes the contender's folder, adds it to the table and pins its modules.
func (n New) Make(ctx context.Context, lab string) error {
	dir := filepath.Join(lab, filepath.FromSlash(n.Folder()))
	if _, err := os.Stat(dir); err == nil {
		return fmt.Errorf("lab/%s is there already: remove it, or choose another name", n.Folder())
	}
	released, err := n.resolve(ctx)
	if err != nil {
		return err
	}
	table := filepath.Join(lab, "contender/table/table.go")
	text, err := os.ReadFile(table)
	if err != nil {
		return err
	}
	if text, err = n.register(text); err != nil {
		return err
	}
	files, err := n.files(released)
	if err != nil {
		return err
	}
	if err := errors.Join(contender.Write(dir, files), os.WriteFile(table, text, 0o644)); err != nil {
		return err
	}
	if err := Pin(ctx, lab, n.Name); err != nil {
		return fmt.Errorf("%w\nmend lab/%s/adapter, then: bin/maint pin %s", err, n.Folder(), n.Name)
	}
	return nil
}

// resolve asks the go command for the exact version and the day of its release.
func (n *New) resolve(ctx context.Context) (released string, err error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-json", n.Module+"@"+n.Version)
	cmd.Dir = os.TempDir()
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go list -m %s@%s: %w\n%s", n.Module, n.Version, err, stderr.String())
	}
	var m struct{ Version, Time string }
	err = json.Unmarshal(out, &m)
	n.Version = m.Version
	released, _, _ = strings.Cut(m.Time, "T")
	return released, err
}

// files returns the contents of the new folder's files, by path with slashes.
func (n New) files(released string) (map[string][]byte, error) {
	fill := strings.NewReplacer("PACKAGE", n.Package(), "NAME", n.Name, "FAMILY", n.Family, "MODULE", n.Module, "VERSION", n.Version,
		"RELEASED", released)
	files := map[string][]byte{}
	for from, to := range map[string]string{"info-" + n.Family: n.Package() + ".go", "test": n.Package() + "_test.go",
		"adapter": "adapter/adapter.go", "mod": "adapter/mod.txt"} {
		text, err := fs.ReadFile(template, "template/"+from+".txt")
		if err != nil {
			return nil, err
		}
		files[to] = []byte(fill.Replace(string(text)))
	}
	return files, nil
}

// register returns table, the source of the table of contenders, with this contender at its end.
func (n New) register(table []byte) ([]byte, error) {
	const imports, end = "import (\n", "\t)\n}\n"
	spec := fmt.Sprintf("\t%q\n", "github.com/zmylab/zmy/lab/"+n.Folder())
	if n.Package() != n.Name {
		spec = "\t" + n.Package() + " " + spec[1:]
	}
	text := string(table)
	if strings.Count(text, imports) != 1 || strings.Count(text, end) != 1 {
		return nil, fmt.Errorf("lab/contender/table/table.go has another form: it lists contenders behind %q and before %q", imports, end)
	}
	text = strings.Replace(text, imports, imports+spec, 1)
	return format.Source([]byte(strings.Replace(text, end, "\t\t"+n.Package()+".Info,\n"+end, 1)))
}
