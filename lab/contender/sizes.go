package contender

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// sizesText has a line for each module that a worker of a codec needs: its path, its version and the size of its zip
// file in bytes. TestSizes writes it.
//
//go:embed sizes.txt
var sizesText string

var sizes = sync.OnceValue(func() map[module.Version]int64 {
	all := map[module.Version]int64{}
	for line := range strings.Lines(sizesText) {
		var m module.Version
		var bytes string
		if n, _ := fmt.Sscan(line, &m.Path, &m.Version, &bytes); n == 3 {
			all[m], _ = strconv.ParseInt(bytes, 10, 64)
		}
	}
	return all
})

// Download is what the go command downloads for the workers of some codecs.
type Download struct {
	Modules int   // modules that the cache lacks
	Bytes   int64 // size of their zip files, without those of unknown size
}

// Downloads returns what the module cache in folder cache lacks for the workers of the codecs. It counts the versions
// that the codecs pin: the user's module may raise some, and may need others besides.
func Downloads(infos []Info, cache string) (d Download) {
	seen := map[module.Version]bool{}
	for _, i := range infos {
		for _, m := range required(i.Name) {
			if seen[m] || Cached(cache, m) {
				continue
			}
			seen[m] = true
			d.Modules++
			d.Bytes += sizes()[m]
		}
	}
	return d
}

// required returns all requirements in a codec's mod.txt, also indirect ones.
func required(codec string) (all []module.Version) {
	data, err := adapters.ReadFile("codecs/" + codec + "/adapter/mod.txt")
	if err != nil {
		return nil // the codec needs no module of others
	}
	f, err := modfile.Parse("mod.txt", data, nil)
	if err != nil {
		return nil // Pins panics, and a test parses all
	}
	for _, r := range f.Require {
		all = append(all, r.Mod)
	}
	return all
}

// Cached reports whether the module cache in that folder has the module's zip file.
func Cached(cache string, m module.Version) bool {
	path, err1 := module.EscapePath(m.Path)
	version, err2 := module.EscapeVersion(m.Version)
	if err1 != nil || err2 != nil {
		return false
	}
	_, err := os.Stat(filepath.Join(cache, "cache", "download", filepath.FromSlash(path), "@v", version+".zip"))
	return err == nil
}
