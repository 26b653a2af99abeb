package otelx

import (
	"runtime"
	"runtime/debug"
)

// module is the module of this project's codecs.
const module = "github.com/zmylab/zmy"

// versions returns the versions that are known without an option. This project's codecs have the
// version of its module. The standard library's have the version of Go that built the program.
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
