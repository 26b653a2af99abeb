package contract_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var (
	public = flag.Bool("public", false, "fetch public modules for TestPublic")
	only   = flag.String("only", "", "names of lab/realtypes, separated by commas, for TestPublic; all by default")
)

// TestPublic describes types of public modules, those of lab/realtypes. Their schema accepts the
// documents there, once they are read and written again, and drawn values.
func TestPublic(t *testing.T) {
	if !*public {
		t.Skip("fetches modules; run it with -public")
	}
	const from = "../../lab/realtypes"
	text, err := os.ReadFile(filepath.Join(from, "types.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Name, Decl, Never string
		Imports           []string
	}
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		if c.Never != "" || *only != "" && !slices.Contains(strings.Split(*only, ","), c.Name) {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			p := newProgram(t)
			src := "package subject\n\n"
			for _, spec := range c.Imports {
				name, path, named := strings.Cut(spec, " ")
				if !named {
					name, path = "", name
				}
				src += fmt.Sprintf("import %s %q\n", name, path)
			}
			write(t, p.dir, "subject/subject.go", src+"\n"+c.Decl+"\n")
			p.require(t, from, c.Name)
			docs, err := os.ReadFile(filepath.Join(from, "documents", c.Name+".ndjson"))
			if err != nil {
				t.Fatal(err)
			}
			write(t, p.dir, "documents.ndjson", string(docs))
			p.add(t, filepath.Join(p.dir, "subject"), "example.org/oracle/subject", "subject", strings.Fields(c.Decl)[1])
			sum := p.run(t, "-values=3000", "-documents=documents.ndjson")
			if n := bytes.Count(docs, []byte("\n")); sum.Documents < n {
				t.Errorf("%d of %d documents", sum.Documents, n)
			}
		})
	}
}

// require adds the pinned requirements of a public module to the program's.
func (p *program) require(t *testing.T, from, name string) {
	t.Helper()
	mod, err := os.ReadFile(filepath.Join(from, "modules", name+".mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(from, "modules", name+".sum"))
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"mod", "edit"}
	for line := range strings.Lines(string(mod)) {
		words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "require "))
		if len(words) >= 2 && strings.HasPrefix(words[1], "v") {
			args = append(args, "-require="+words[0]+"@"+words[1])
		}
	}
	if out, err := goCommand(t, p.dir, args...); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	own, err := os.ReadFile(filepath.Join(p.dir, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, p.dir, "go.sum", string(own)+string(sum))
	t.Setenv("GOFLAGS", strings.TrimSpace("-mod=mod "+os.Getenv("GOFLAGS")))
}
