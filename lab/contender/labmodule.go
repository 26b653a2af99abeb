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

// loopPath is the one package of the core module that workers need. It is copied into the lab's
// module, since workers must not require the core module.
const loopPath = RuntimePath + "/internal/openloop"

// Relocate returns source of this project as it is compiled in the temporary workspace. Imports of
// copied packages name the copies, and the build tag that hides adapters from the repository's own
// builds is removed.
func Relocate(src []byte) []byte {
	src = bytes.TrimPrefix(src, []byte("//go:build ignore\n"))
	src = bytes.ReplaceAll(src, []byte(`"`+RuntimePath+"/lab/"), []byte(`"`+LabPath+"/"))
	return bytes.ReplaceAll(src, []byte(`"`+loopPath+`"`), []byte(`"`+LabPath+`/openloop"`))
}

// Files returns the files that match the patterns, relocated, by folder and name. It leaves out
// tests and embed.go, the file with which a package embeds its own source.
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

// LabModule returns the files of the lab's own module, with which workers are built. sources holds
// the folders worker, fidelity and values.
func LabModule(sources fs.FS) (map[string][]byte, error) {
	files, err := Files(sources, "worker/*.go", "worker/*/*.go", "fidelity/*.go", "values/*.go")
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
