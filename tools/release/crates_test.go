package release

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// crates is a registry for cargo: the sparse index and the part of the web API that cargo publish
// and a build use (https://doc.rust-lang.org/cargo/reference/registries.html).
type crates struct {
	*httptest.Server
	mu    sync.Mutex
	index map[string][]byte // lines of JSON, by the name of the crate
	files map[string][]byte // by name/version
}

func newCrates(t *testing.T) *crates {
	c := &crates{index: map[string][]byte{}, files: map[string][]byte{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /config.json", func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]string{"dl": c.URL + "/crates/{crate}/{version}", "api": c.URL})
	})
	mux.HandleFunc("GET /crates/{name}/{version}", func(w http.ResponseWriter, r *http.Request) {
		c.serve(w, c.files, r.PathValue("name")+"/"+r.PathValue("version"))
	})
	mux.HandleFunc("PUT /api/v1/crates/new", func(w http.ResponseWriter, r *http.Request) {
		if err := c.publish(r.Body); err != nil {
			t.Error(err)
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		_, _ = io.WriteString(w, `{"warnings":{"invalid_categories":[],"invalid_badges":[],"other":[]}}`)
	})
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) { // the index: 3/z/zmy
		c.serve(w, c.index, r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:])
	})
	c.Server = httptest.NewServer(mux)
	t.Cleanup(c.Close)
	return c
}

func (c *crates) serve(w http.ResponseWriter, from map[string][]byte, key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if data, ok := from[key]; ok {
		_, _ = w.Write(data)
		return
	}
	w.WriteHeader(http.StatusNotFound)
}

// publish takes the body of a request to publish: the length and the text of the metadata, then the
// length and the bytes of the crate.
func (c *crates) publish(body io.Reader) error {
	meta, err := readPart(body)
	if err != nil {
		return fmt.Errorf("metadata: %w", err)
	}
	file, err := readPart(body)
	if err != nil {
		return fmt.Errorf("crate: %w", err)
	}
	var in struct {
		Name          string                     `json:"name"`
		Vers          string                     `json:"vers"`
		Deps          []map[string]any           `json:"deps"`
		Features      map[string]json.RawMessage `json:"features"`
		License       string                     `json:"license"`
		Description   string                     `json:"description"`
		Readme        string                     `json:"readme"`
		Repository    string                     `json:"repository"`
		Documentation string                     `json:"documentation"`
		Keywords      []string                   `json:"keywords"`
		Categories    []string                   `json:"categories"`
		RustVersion   string                     `json:"rust_version"`
	}
	if err := json.Unmarshal(meta, &in); err != nil {
		return err
	}
	// The first two are demanded by crates.io, the others are what its pages show.
	if in.License == "" || in.Description == "" || in.Readme == "" || in.Repository == "" || in.Documentation == "" ||
		in.RustVersion == "" || len(in.Keywords) == 0 || len(in.Keywords) > 5 || len(in.Categories) == 0 || len(in.Categories) > 5 {
		return fmt.Errorf("crate %s lacks metadata: %.2000s", in.Name, meta)
	}
	for _, d := range in.Deps { // a dependency has other keys in the index
		d["req"] = d["version_req"]
		delete(d, "version_req")
	}
	sum := sha256.Sum256(file)
	line, err := json.Marshal(map[string]any{"name": in.Name, "vers": in.Vers, "deps": in.Deps, "features": struct{}{},
		"features2": in.Features, "v": 2, "cksum": hex.EncodeToString(sum[:]), "yanked": false, "rust_version": in.RustVersion})
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.index[in.Name] = append(c.index[in.Name], append(line, '\n')...)
	c.files[in.Name+"/"+in.Vers] = file
	return nil
}

func readPart(r io.Reader) ([]byte, error) {
	var n uint32
	if err := binary.Read(r, binary.LittleEndian, &n); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	_, err := io.CopyN(&b, r, int64(n))
	return b.Bytes(), err
}
