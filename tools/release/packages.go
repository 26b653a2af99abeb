package release

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// places are the files that hold the version of the packages of other languages. In the main branch
// that version is 0.0.0, as the modules' is v0.0.0 there.
var places = []struct{ glob, main, release string }{
	{"java/pom.xml", pomMain, pomRelease},
	{"java/*/pom.xml", pomMain, pomRelease},
	{"docs/guide/java.md", pomMain, pomRelease}, // a library that is built from a clone
	{"rust/Cargo.toml", cargoMain, cargoRelease},
	{"rust/Cargo.lock", cargoMain, cargoRelease},
	{"rust/bench/Cargo.lock", cargoMain, cargoRelease},
	{"web/package.json", `"version": "0.0.0"`, `"version": "%s"`},
}

const (
	pomMain, pomRelease     = "<version>0.0.0-SNAPSHOT</version>", "<version>%s</version>"
	cargoMain, cargoRelease = "\nversion = \"0.0.0\"\n", "\nversion = \"%s\"\n"
)

// setPackageVersions gives the packages of other languages in a work tree the version of the modules.
func setPackageVersions(dir, version string) error {
	version = strings.TrimPrefix(version, "v")
	for _, p := range places {
		names, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(p.glob)))
		if err != nil {
			return err
		}
		if len(names) == 0 {
			return fmt.Errorf("no file %s, where the version of a package stands; correct the list in tools/release/packages.go", p.glob)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			out := bytes.ReplaceAll(data, []byte(p.main), fmt.Appendf(nil, p.release, version))
			if bytes.Equal(out, data) {
				return fmt.Errorf("%s: no %q to set to %s; the main branch has version 0.0.0", name, strings.TrimSpace(p.main), version)
			}
			if err := os.WriteFile(name, out, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
