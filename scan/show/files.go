package show

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/zmylab/zmy/scan"
)

// Files of a scan's folder.
const (
	FileHTML = "index.html"
	FileJSON = "scan.json"
)

// JSON writes the result as data.
func JSON(w io.Writer, r *scan.Result) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

// WriteDir writes the page and the data into dir, which it makes if need be. A file is replaced as a whole or
// not at all.
func WriteDir(dir string, r *scan.Result) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("scan: the report's folder cannot be made: %w", err)
	}
	for _, f := range []struct {
		name  string
		write func(io.Writer, *scan.Result) error
	}{{FileJSON, JSON}, {FileHTML, HTML}} {
		if err := WriteFile(filepath.Join(dir, f.name), r, f.write); err != nil {
			return err
		}
	}
	return nil
}

// WriteFile writes one form of the result to a file, as a whole or not at all.
func WriteFile(name string, r *scan.Result, write func(io.Writer, *scan.Result) error) error {
	var b bytes.Buffer
	if err := write(&b, r); err != nil {
		return fmt.Errorf("scan: %s: %w", name, err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), ".part-*")
	if err != nil {
		return fmt.Errorf("scan: %s cannot be written: %w", name, err)
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(b.Bytes())
	if err := errors.Join(err, tmp.Chmod(0o644), tmp.Close()); err != nil {
		return fmt.Errorf("scan: %s cannot be written: %w", name, err)
	}
	if err := os.Rename(tmp.Name(), name); err != nil {
		return fmt.Errorf("scan: %s cannot be written: %w", name, err)
	}
	return nil
}
