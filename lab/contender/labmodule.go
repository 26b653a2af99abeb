package contender

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/zmylab/zmy/internal/openloop"
)

// MinGo is the go line of the modules that the lab writes.
const MinGo = "1.25"

// loopPath is the package of the core module that is copied beside the lab's own: workers must not
// require that module.
const loopPath = RuntimePath + "/internal/openloop"

// Relocate makes source of this project source of the temporary workspace: imports of what lies
// there are those of the copies, and the compiler sees files that the repository's own builds leave
// out.
func Relocate(src []byte) []byte {
	src = bytes.TrimPrefix(src, []byte("//go:build ignore\n"))
	src = bytes.ReplaceAll(src, []byte(`"`+RuntimePath+"/lab/"), []byte(`"`+LabPath+"/"))
	return bytes.ReplaceAll(src, []byte(`"`+loopPath+`"`), []byte(`"`+LabPath+`/openloop"`))
}

// Files returns the files that match the patterns, relocated, by folder and name. Tests are left
// out, and embed.go, by which a package has its own text.
func Files(from fs.FS, patterns ...string) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, pattern := range patterns {
		names, err := fs.Glob(from, pattern)
		if err != nil {
			return nil, err
		}
		if len(names) == 0 {
			return nil, fmt.Errorf("%s: no such source", pattern)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") || path.Base(name) == "embed.go" {
				continue
			}
			text, err := fs.ReadFile(from, name)
			if err != nil {
				return nil, err
			}
			out[name] = Relocate(text)
		}
	}
	return out, nil
}

// LabModule returns the files of the lab's own module as workers are built with it. sources holds
// the folders worker, fidelity and values.
func LabModule(sources fs.FS) (map[string][]byte, error) {
	files, err := Files(sources, "worker/*.go", "fidelity/*.go", "values/*.go")
	if err != nil {
		return nil, fmt.Errorf("the lab's own sources: %w", err)
	}
	loop, err := Files(openloop.Source, "*.go")
	if err != nil {
		return nil, err
	}
	for name, text := range loop {
		files["openloop/"+name] = text
	}
	files["go.mod"] = []byte("module " + LabPath + "\n\ngo " + MinGo + "\n")
	return files, nil
}
