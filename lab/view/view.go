// Package view serves a report's folder to browsers on this machine. It opens the profiles in the
// folder with the viewers of the Go distribution.
//
// NOTE: view.go is the server, tool.go starts and ends go tool pprof and go tool trace.
package view

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/report"
)

// Server serves one folder. Close ends the viewers that it started.
type Server struct {
	root  *os.Root
	mux   *http.ServeMux
	tools *tools
}

// New opens the report in dir.
func New(ctx context.Context, dir string) (*Server, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: there is no such folder; zmy lab PACKAGE -type TYPE -o %s makes one", dir, dir)
	}
	if err != nil {
		return nil, err
	}
	if _, err := root.Stat(report.FileHTML); err != nil {
		root.Close()
		return nil, fmt.Errorf("%s holds no %s: name the folder that zmy lab was given by -o", dir, report.FileHTML)
	}
	abs, err := filepath.Abs(dir) // absolute, so that no tool takes a file's path for a flag
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	s := &Server{root: root, mux: http.NewServeMux(), tools: newTools(ctx, abs)}
	files := http.FileServerFS(root.FS())
	s.mux.HandleFunc("GET /{$}", s.page)
	s.mux.HandleFunc("GET /profile/{name...}", s.profile)
	for _, name := range slices.Concat(report.Files, []string{report.FileFit, report.FileDerived, report.FileLayout}) {
		s.mux.Handle("GET /"+name, files) // nothing else, since the folder may contain other files
	}
	return s, nil
}

// Close ends the viewers that were started and closes the folder.
func (s *Server) Close() error {
	s.tools.close()
	return s.root.Close()
}

// Listen opens a socket on the loopback interface; port 0 takes a free port.
func Listen(port int) (net.Listener, error) {
	return net.Listen("tcp", net.JoinHostPort("127.0.0.1", fmt.Sprint(port)))
}

// ServeHTTP answers browsers on this machine. It refuses requests under other host names. It also
// refuses requests that another site's page makes the browser send, except for the report's page.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !loopback(r.Host) || r.Header.Get("Sec-Fetch-Site") == "cross-site" && r.URL.Path != "/" {
		http.Error(w, "this report is served to this machine only", http.StatusForbidden)
		return
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store") // a new run replaces the files
	s.mux.ServeHTTP(w, r)
}

// loopback reports whether a Host header names this machine. If other names were served, a page of
// another site could have its own name point to 127.0.0.1, and read the report (DNS rebinding).
func loopback(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return ip != nil && ip.IsLoopback()
}

func hidden(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return strings.HasPrefix(part, ".") })
}

// Profiles lists what a viewer can open, by their paths in the folder.
func (s *Server) Profiles() []string {
	var out []string
	_ = fs.WalkDir(s.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // a folder that cannot be read has nothing to show
		case name != "." && hidden(name), strings.Count(name, "/") > 2:
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.Type().IsRegular() && viewer(name) != "":
			out = append(out, name)
		}
		return nil
	})
	return out
}

var links = template.Must(template.New("links").Parse(`<nav class="card" aria-label="Profiles"><h2>Profiles</h2><p class="note">Each opens in go tool pprof or go tool trace, started on this machine.</p><ul>
{{range .}}<li><a href="/profile/{{.}}" target="_blank" rel="noopener">{{.}}</a></li>
{{end}}</ul></nav>
`))

// slot is the text before which the links to profiles are inserted.
const slot = "</main>"

// page serves the report, with links to the profiles at its end.
func (s *Server) page(w http.ResponseWriter, _ *http.Request) {
	html, err := fs.ReadFile(s.root.FS(), report.FileHTML)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	if names := s.Profiles(); names != nil {
		var b bytes.Buffer
		if err := links.Execute(&b, names); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		if i := bytes.LastIndex(html, []byte(slot)); i >= 0 {
			html = slices.Concat(html[:i], b.Bytes(), html[i:])
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(html)
}

// profile redirects the browser to the viewer of a profile.
func (s *Server) profile(w http.ResponseWriter, r *http.Request) {
	name := path.Clean(r.PathValue("name"))
	if !slices.Contains(s.Profiles(), name) {
		http.NotFound(w, r)
		return
	}
	url, err := s.tools.open(r.Context(), name)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	http.Redirect(w, r, url, http.StatusSeeOther)
}
