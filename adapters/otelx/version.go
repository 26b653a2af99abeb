package otelx

import (
	"runtime"
	"runtime/debug"
)

// module is that of the codecs of this project.
const module = "github.com/zmylab/zmy"

// versions are those of codecs that need no telling: the standard library's are
// of the Go that built the program.
func versions() map[string]string {
	v := map[string]string{"json": runtime.Version(), "gob": runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path != module {
			continue
		}
		if m.Replace != nil {
			m = m.Replace
		}
		if m.Version != "" {
			v["fxjson"], v["zmy"] = m.Version, m.Version
		}
	}
	return v
}
