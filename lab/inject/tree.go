package inject

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// TreeHash returns a hash over the names, modes, times and contents in a folder. Tests use it to
// show that a run of the lab does not change the user's folder.
func TreeHash(dir string) (string, error) {
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(sum, p, info.Mode(), info.ModTime())
		if d.IsDir() {
			return nil
		}
		data, err := os.ReadFile(p)
		sum.Write(data)
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}
