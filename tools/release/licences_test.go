package release

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify,
merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished
to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE
FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`

const beer = `"THE BEER-WARE LICENSE" (Revision 42): <phk@FreeBSD.ORG> wrote this file. As long as you retain this notice you can do
whatever you want with this stuff. If we meet some day, and you think this stuff is worth it, you can buy me a beer in return.
Poul-Henning Kamp
`

func TestJudge(t *testing.T) {
	for _, c := range []struct{ file, text, names, why string }{
		{"LICENSE", mit, "MIT", ""},
		{"COPYING.md", mit, "MIT", ""},
		{"LICENSE", beer, "Beerware", "has the licence Beerware, which is not on the list (tools/release/licences.go)"},
		{"LICENSE.txt", "Ask me first.\n", "", "has a licence that is not known: read LICENSE.txt"},
		{"README.md", mit, "", "has no file with a licence"},
		{"license.go", mit, "", "has no file with a licence"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, c.file), []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		found, err := texts(dir)
		if err != nil {
			t.Fatal(err)
		}
		l := Licence{Texts: found}
		l.judge()
		if got := strings.Join(l.Names, " "); got != c.names || l.Why != c.why {
			t.Errorf("%s: %q %q, want %q %q", c.file, got, l.Why, c.names, c.why)
		}
	}
}

// TestNPM: the packages of a package-lock.json with their licences, and no licence where it tells none.
func TestNPM(t *testing.T) {
	all, err := npmLicences([]byte(`{"lockfileVersion": 3, "packages": {"": {"license": "Apache-2.0"}, "web": {"version": "1.0.0"},
		"node_modules/web": {"link": true}, "node_modules/@a/b": {"version": "1.2.3", "license": "MIT"},
		"node_modules/@a/b/node_modules/c": {"version": "2.0.0"}, "node_modules/d": {"version": "3.0.0", "license": "GPL-3.0-only"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range all {
		why, _, _ := strings.Cut(l.Why, ",")
		got = append(got, l.Path+" "+l.Version+" "+strings.Join(l.Names, " ")+": "+why)
	}
	want := "@a/b 1.2.3 MIT: \nc 2.0.0 : names no licence\nd 3.0.0 GPL-3.0-only: has the licence GPL-3.0-only"
	if got := strings.Join(got, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, bad := range []string{"", "{", `{"lockfileVersion": 1, "dependencies": {}}`,
		`{"lockfileVersion": 3, "packages": {"node_modules/a": 1}}`} {
		if all, err := npmLicences([]byte(bad)); err == nil {
			t.Errorf("%s: no error, but %v", bad, all)
		}
	}
	all, err = NPM(t.Context(), "../..")
	if err != nil || len(all) < 3 {
		t.Errorf("of this repository: %v, %v", all, err)
	}
}

func TestRefusal(t *testing.T) {
	for expression, why := range map[string]string{
		"MIT":                                   "",
		"MIT OR GPL-3.0-only":                   "",
		"(MIT OR Apache-2.0) AND Unicode-3.0":   "",
		"(MIT OR Apache-2.0) AND AGPL-3.0-only": "has the licence (MIT OR Apache-2.0) AND AGPL-3.0-only, which is not on the list",
		"My-Own":                                `has the licence "My-Own": `,
		"":                                      "names no licence",
	} {
		if got := refusal(expression); why == "" && got != "" || !strings.HasPrefix(got, why) {
			t.Errorf("%s: %q, want %q", expression, got, why)
		}
	}
}

// TestLicences: modules that this package imports are found, with their texts; the repository's own are not.
func TestLicences(t *testing.T) {
	all, err := Licences(t.Context(), ".", ".")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := WriteNotices(&b, all); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, l := range all {
		if found = found || l.Path == "golang.org/x/mod"; l.Why != "" || ours(l.Path) {
			t.Errorf("%s: %s", l.Path, l.Why)
		}
		if !strings.Contains(b.String(), "\n"+l.Path+" "+l.Version+", LICENSE") {
			t.Errorf("%s is missing in the notices", l.Path)
		}
	}
	if !found {
		t.Errorf("golang.org/x/mod is missing: %v", all)
	}
}
