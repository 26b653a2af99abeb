package plan

import (
	"archive/zip"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/zmylab/zmy/gen/gocmd"
)

// shipped is a module that ships the go.work of its authors, whose other modules are not in it.
var shipped = map[string]string{
	"go.mod":  "module example.org/ships\n\ngo 1.24\n",
	"go.work": "go 1.24\n\nuse (\n\t.\n\t./examples\n)\n",
	"a.go":    "package ships\n\ntype Event struct{ ID string }\n",
}

// fetchShipped puts the module into a module cache of its own, by way of a proxy on disk, and
// returns a module that requires it and the environment to build that with.
func fetchShipped(t *testing.T) (dir, cache string, env []string) {
	t.Helper()
	dir, proxy, cache := folder(t), folder(t), filepath.Join(folder(t), "mod")
	at := filepath.Join(proxy, "example.org", "ships", "@v")
	write(t, at, map[string]string{
		"list": "v1.0.0\n", "v1.0.0.info": `{"Version":"v1.0.0"}`, "v1.0.0.mod": shipped["go.mod"],
	})
	f, err := os.Create(filepath.Join(at, "v1.0.0.zip"))
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for name, text := range shipped {
		w, err := z.Create("example.org/ships@v1.0.0/" + name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{
		"go.mod": "module example.org/home\n\ngo 1.24\n\nrequire example.org/ships v1.0.0\n",
		"h.go":   "package home\n\nimport \"example.org/ships\"\n\ntype T = ships.Event\n",
	})
	env = append(os.Environ(), "GOPROXY=file://"+filepath.ToSlash(proxy), "GOSUMDB=off", "GOMODCACHE="+cache,
		"GOFLAGS=-modcacherw", "GOWORK=", "GOTOOLCHAIN=local")
	if _, err := gocmd.Output(t.Context(), dir, env, "mod", "tidy"); err != nil {
		t.Fatal(err)
	}
	return dir, cache, env
}

// A go.work that a module ships does not count, whether the type is named by import path or by the
// folder in the module cache. Named by import path, it is built with what the user's module asks for.
func TestShippedWork(t *testing.T) {
	dir, cache, env := fetchShipped(t)
	folder := filepath.Join(cache, "example.org", "ships@v1.0.0")
	for name, use := range map[string]string{"example.org/ships": dir, folder: folder} {
		s, err := Resolve(t.Context(), Options{Dir: dir, Env: env, Package: name, Type: "Event"})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		w := s.Work
		if w.Mirror != folder || !slices.Equal(w.Use, []string{use}) || w.Home != use || (w.Host.GOWORK != "off" && w.Host.GOWORK != "") {
			t.Errorf("%s: built in %v with GOWORK=%q, its module lies in %q, home is %q", name, w.Use, w.Host.GOWORK, w.Mirror, w.Home)
		}
		if _, ok := w.Modules["example.org/ships"]; !ok {
			t.Errorf("%s: built with %v", name, w.Modules)
		}
	}
}
