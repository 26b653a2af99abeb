package adopt

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// NOTE: Apply writes the record first, then the files, each under another name that is then renamed.
// The record holds the text of every file before the change, and the hash after it. So whenever the
// program is stopped, each file is as before or as after, and Undo finds that out by the hashes.

// Record is what Undo needs to give the tree back. It lies in the module's folder until then.
type Record struct {
	Codec   string         `json:"codec"`
	Applied bool           `json:"applied"` // false while the files are being written
	Files   []RecordedFile `json:"files"`
	Dirs    []string       `json:"dirs,omitempty"` // folders that were made, outermost first
}

// RecordedFile is a file of the tree.
type RecordedFile struct {
	Path   string `json:"path"`
	Mode   uint32 `json:"mode"`
	Before []byte `json:"before"` // null if the file is new
	After  string `json:"after"`  // SHA-256 in hexadecimal; "" if the file is deleted
}

// RecordName returns the name of the record of a codec.
func RecordName(codec string) string { return "adopt-" + codec + ".undo" }

// PatchName returns the name of the patch of a codec.
func PatchName(codec string) string { return "adopt-" + codec + ".patch" }

// temporary ends the name of a file that is being written.
const temporary = ".zmy-adopt"

func hash(b []byte) string {
	if b == nil {
		return ""
	}
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// Apply writes the changes into the tree. It writes nothing if a file is not as it was when the copy
// was made. If writing fails or stop returns an error, the tree is given back.
func Apply(r *Result, stop func() error) error {
	record := filepath.Join(r.Dir, RecordName(r.Codec))
	if _, err := os.Lstat(record); err == nil {
		return fmt.Errorf("%s is the record of an earlier run: undo that first with %s -undo, "+
			"or remove the file to keep the change", record, Command(r.Codec))
	}
	rec := Record{Codec: r.Codec}
	var changed []string
	for _, c := range r.Changes {
		now, err := readFile(filepath.Join(r.Dir, filepath.FromSlash(c.Path)))
		if err != nil {
			return err
		}
		if hash(now) != hash(c.Before) {
			changed = append(changed, c.Path)
		}
		rec.Files = append(rec.Files, RecordedFile{Path: c.Path, Mode: c.Mode, Before: c.Before, After: hash(c.After)})
		rec.Dirs = missing(r.Dir, c.Path, rec.Dirs)
	}
	if changed != nil {
		return fmt.Errorf("nothing was written, since these files have changed while the command ran: %s; run it again",
			strings.Join(changed, ", "))
	}
	if err := rec.write(record); err != nil {
		return err
	}
	err := func() error {
		for _, c := range r.Changes {
			if err := stop(); err != nil {
				return err
			}
			if err := put(r.Dir, c.Path, c.After, c.Mode); err != nil {
				return err
			}
		}
		return nil
	}()
	if err != nil {
		return errors.Join(err, Undo(r.Dir, r.Codec))
	}
	rec.Applied = true
	return rec.write(record)
}

// missing adds the folders of a path that do not exist, outermost first.
func missing(dir, path string, have []string) []string {
	var add []string
	for d := filepath.ToSlash(filepath.Dir(filepath.FromSlash(path))); d != "."; d = filepath.ToSlash(filepath.Dir(filepath.FromSlash(d))) {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(d))); err == nil || slices.Contains(have, d) {
			break
		}
		add = append(add, d)
	}
	slices.Reverse(add)
	return append(have, add...)
}

// write replaces the record.
func (rec *Record) write(name string) error {
	text, err := json.MarshalIndent(rec, "", "\t")
	if err != nil {
		return err
	}
	return put(filepath.Dir(name), filepath.Base(name), append(text, '\n'), 0o644)
}

// put makes a file of the tree have a text, or removes it if text is nil. A reader sees the old text
// or the new one.
func put(dir, path string, text []byte, mode uint32) error {
	name := filepath.Join(dir, filepath.FromSlash(path))
	if text == nil {
		if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(name+temporary, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(fs.FileMode(mode)), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(name+temporary, name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(name+temporary))
	}
	return nil
}

// ReadRecord reads the record of a codec in a module's folder.
func ReadRecord(dir, codec string) (*Record, error) {
	name := filepath.Join(dir, RecordName(codec))
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is nothing to undo: %s has no file %s, which %s -w writes", dir, RecordName(codec), Command(codec))
	}
	if err != nil {
		return nil, err
	}
	var rec Record
	if err := json.Unmarshal(data, &rec); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w; use your version control to go back", name, err)
	}
	for _, f := range rec.Files {
		if !filepath.IsLocal(filepath.FromSlash(f.Path)) {
			return nil, fmt.Errorf("%s is damaged: %q leads out of the module", name, f.Path)
		}
	}
	return &rec, nil
}

// Undo gives the tree back as it was before Apply. It changes nothing if a file is neither as before
// nor as after, and names these files.
func Undo(dir, codec string) error {
	if later := RecordName(ZMYWrite); codec == ZMYRead {
		if _, err := os.Lstat(filepath.Join(dir, later)); err == nil {
			return fmt.Errorf("nothing was undone, since %s is there: writers that write ZMY need these readers; first run %s -undo",
				later, Command(ZMYWrite))
		}
	}
	rec, err := ReadRecord(dir, codec)
	if err != nil {
		return err
	}
	var changed []string
	for _, f := range rec.Files {
		now, err := readFile(filepath.Join(dir, filepath.FromSlash(f.Path)))
		if err != nil {
			return err
		}
		if h := hash(now); h != f.After && h != hash(f.Before) {
			changed = append(changed, f.Path)
		}
	}
	if changed != nil {
		return fmt.Errorf("nothing was undone, since these files have changed since: %s; "+
			"undo with your version control, or take their changes back first",
			strings.Join(changed, ", "))
	}
	for _, f := range rec.Files {
		if err := put(dir, f.Path, f.Before, f.Mode); err != nil {
			return err
		}
		err := os.Remove(filepath.Join(dir, filepath.FromSlash(f.Path)+temporary))
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !notDir(err) {
			return err
		}
	}
	for _, d := range slices.Backward(rec.Dirs) {
		_ = os.Remove(filepath.Join(dir, filepath.FromSlash(d))) // it stays if it holds files of others
	}
	for _, name := range []string{RecordName(codec) + temporary, RecordName(codec)} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// notDir reports whether a path does not exist because a part of it is no folder.
func notDir(err error) bool { return strings.Contains(err.Error(), "not a directory") }
