package lab

import (
	"regexp"
	"runtime"

	"github.com/zmylab/zmy/lab/plan"
)

// noSpace matches messages of the go command and its tools that a disk or a quota is full.
var noSpace = regexp.MustCompile(`no space left on device|disk quota exceeded|not enough space on the disk`)

const spaceNext = "free space where TMPDIR and GOCACHE lie (df -h shows it), or set them to folders of another disk"

// foreignMachine returns an error if env builds for a machine other than this one, since the lab
// runs what it builds.
func foreignMachine(env *plan.Env) error {
	if env.GOOS == runtime.GOOS && (env.GOARCH == runtime.GOARCH || runtime.GOARCH == "amd64" && env.GOARCH == "386") {
		return nil
	}
	return Usagef("the go command builds for %s/%s, and the lab must run what it builds, on %s/%s: "+
		"unset GOOS and GOARCH (go env -u GOOS GOARCH, if they were set by go env -w), or measure on such a machine",
		env.GOOS, env.GOARCH, runtime.GOOS, runtime.GOARCH)
}
