// Package jsonv2go127 is the contender encoding/json/v2 of Go 1.27, where no GOEXPERIMENT is needed.
// If the subject is built with Go 1.27 anyway, row json-v2-default measures the same.
package jsonv2go127

import (
	"cmp"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"

	"github.com/zmylab/zmy/lab/contender"
	jsonv2default "github.com/zmylab/zmy/lab/contender/codecs/json-v2-default"
	"github.com/zmylab/zmy/lab/run"
)

// Toolchain is the Go that builds the worker. Its compiler and runtime are measured too, so a
// difference to row json-v2-default is not the library's alone.
const Toolchain = "go1.27.1"

// Info is the contender.
var Info = info()

func info() contender.Info {
	i := contender.Reflective(contender.Info{
		Name: "json-v2-go127", Family: "json",
		Text:  "encoding/json/v2 of " + Toolchain + " with its own options, which are not version 1's; compiled by that Go",
		Extra: true,
		Env:   []string{"GOTOOLCHAIN=" + Toolchain + "+auto"}, // a module may ask for a newer Go
		Adopt: &run.Adopt{Import: "encoding/json/v2", Same: true,
			Manual: "Go 1.27 or later for the module (with it installed: go mod edit -go=1.27.0), import encoding/json/v2 in place of " +
				"encoding/json, and a look at what its options change"},
		Abilities: jsonv2default.Info.Abilities.But(contender.Abilities{Released: "2026-08-28; " + Toolchain}),
	})
	carries := i.Plan
	i.Plan = func(t *contender.Target) *run.Why {
		if why := carries(t); why != nil {
			return why
		}
		if err := Installed(); err != nil {
			return &run.Why{What: "skipped: " + Toolchain + " is not on this machine", Reason: err.Error(),
				Next: "GOTOOLCHAIN=" + Toolchain + " go version, which fetches it"}
		}
		return nil
	}
	return i
}

// Installed returns nil if the go command has the toolchain without a download.
var Installed = sync.OnceValue(func() error {
	cmd := exec.Command("go", "version")
	cmd.Dir = os.TempDir()
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN="+Toolchain, "GOPROXY=off", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	said := strings.TrimSpace(string(out))
	return errors.New(cmp.Or(said[strings.LastIndexByte(said, '\n')+1:], err.Error()))
})
