package server

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// elsewhere lists folders of servers that are often missing in PATH: PostgreSQL's by version on
// Debian and Red Hat, the system's programs, which only root has in PATH, and Homebrew's.
var elsewhere = []string{
	"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql@*/bin", "/usr/local/opt/postgresql@*/bin",
	"/usr/sbin", "/usr/local/sbin", "/usr/libexec", "/opt/homebrew/bin", "/usr/local/bin",
}

// find returns the path of a program, or "" if it is not installed. It looks for the newest version
// in folders with versions, then in PATH, then in the other folders.
func find(name string) string { return findIn(elsewhere, name) }

func findIn(dirs []string, name string) string {
	for _, pattern := range dirs {
		if !strings.Contains(pattern, "*") {
			continue
		}
		found, _ := filepath.Glob(filepath.Join(pattern, name)) // the patterns are well-formed
		if found = slices.DeleteFunc(found, func(p string) bool { return !executable(p) }); len(found) > 0 {
			return slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) })
		}
	}
	if p, err := exec.LookPath(name); err == nil {
		return p // links are not resolved, because Redis depends on the name by which it is called
	}
	for _, dir := range dirs {
		if p := filepath.Join(dir, name); executable(p) {
			return p
		}
	}
	return ""
}

// version returns the last number in a path: 15 for /usr/lib/postgresql/15/bin/postgres.
func version(path string) (last int) {
	for _, digits := range number.FindAllString(path, -1) {
		last, _ = strconv.Atoi(digits)
	}
	return last
}

var number = regexp.MustCompile(`[0-9]+`)

func executable(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0
}
