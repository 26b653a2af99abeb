package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/plan"
)

// masking says how committed codec code is kept out of a worker, in which it would be measured in
// place of the contender.
type masking int

const (
	// maskNames renames declarations that the contender's own files contain too, and methods that
	// libraries of its family look for. Other code that uses such a declaration then uses the
	// contender's. Other code that calls such a method does not compile.
	maskNames masking = iota
	// maskFiles is for packages that do not compile with maskNames. It hides the files with
	// declarations that the contender's own files contain too, and does nothing about methods.
	maskFiles
)

// mask adds to the overlay the changes that hide committed codec code. It returns the files in
// which something was renamed.
func (w *Workspace) mask(o *overlay, how masking, family string, src *contender.Sources) (renamed []string, err error) {
	var ours []string
	for name, data := range src.Package {
		names, err := plan.Declared(name, data)
		if err != nil {
			return nil, fmt.Errorf("the contender's own source: %w", err)
		}
		ours = append(ours, names...)
	}
	for _, file := range w.cfg.Subject.CodecFiles {
		name := w.seen(file)
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		inPackage := filepath.Dir(name) == w.packageDir()
		declares := func(recv, id string) bool {
			if recv != "" {
				id = recv + "." + id
			}
			return inPackage && slices.Contains(ours, id)
		}
		masked, changed := plan.Rename(name, data, func(recv, id string) bool {
			return declares(recv, id) || how == maskNames && recv != "" && plan.Hooks(family, id)
		})
		switch {
		case !changed:
		case how == maskFiles:
			o.hide(name)
		default:
			renamed = append(renamed, filepath.Base(name))
			if err := o.add(name, masked); err != nil {
				return nil, err
			}
		}
	}
	return renamed, nil
}
