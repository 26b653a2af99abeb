// Package buildinfo says from what a program of this project was built.
package buildinfo

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// version is the version of a program that was built for a release: v0.1.0. The linker sets it
// (.goreleaser.yaml); programs that the go command installs by version have theirs from it.
var version string

// Info says from what a program was built. A field that is not known is empty.
type Info struct {
	Release string // v0.1.0; empty for a program that was built from a checkout
	Commit  string // the commit of the checkout, in hexadecimal
	Dirty   bool   // the checkout had changes that were not committed
	Date    string // when the commit was made, as in RFC 3339
}

// Read returns the Info of this program.
func Read() Info {
	b, _ := debug.ReadBuildInfo()
	return of(b, version)
}

// of returns the Info of a program by what the go command and the linker have written into it. b may be nil.
func of(b *debug.BuildInfo, linked string) Info {
	i := Info{Release: linked}
	if b == nil {
		return i
	}
	for _, s := range b.Settings {
		switch s.Key {
		case "vcs.revision":
			i.Commit = s.Value
		case "vcs.modified":
			i.Dirty = s.Value == "true"
		case "vcs.time":
			i.Date = s.Value
		}
	}
	// The go command gives a checkout a pseudo-version, which other modules cannot require.
	checkout := slices.ContainsFunc(b.Settings, func(s debug.BuildSetting) bool { return s.Key == "vcs" })
	if v := b.Main.Version; i.Release == "" && !checkout && strings.HasPrefix(v, "v") && !strings.Contains(v, "+dirty") {
		i.Release = v
	}
	return i
}

// Version returns the release, or "(devel)".
func (i Info) Version() string { return cmp.Or(i.Release, "(devel)") }

// String returns the Info in one line, with the version of Go and the platform.
func (i Info) String() string {
	s := i.Version()
	if i.Commit != "" {
		s += ", commit " + i.Commit[:min(len(i.Commit), 12)]
		if i.Dirty {
			s += " with changes"
		}
		if i.Date != "" {
			s += " of " + i.Date
		}
	}
	return fmt.Sprintf("%s, %s %s/%s", s, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
