package cli

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/zmylab/zmy/internal/buildinfo"
	"github.com/zmylab/zmy/internal/cmdline"
)

// about has the flags that print something about the command itself.
type about struct {
	version, man bool
	shell        string
	program      *cmdline.Program
}

func newAbout(name, short string, run func(args []string, stdout, stderr io.Writer) int) *about {
	return &about{program: &cmdline.Program{Name: name, Short: short, Commands: []cmdline.Command{{
		Help: func(stdout io.Writer) { run([]string{"-h"}, stdout, io.Discard) },
	}}}}
}

// completes prints the completions that a shell asks for, and reports whether it does.
func (a *about) completes(args []string, stdout io.Writer) bool {
	if len(args) == 0 || args[0] != cmdline.Asking {
		return false
	}
	a.program.Complete(stdout, args[1:])
	return true
}

func (a *about) register(fs *flag.FlagSet) {
	name := a.program.Name
	fs.BoolVar(&a.version, "version", false, "print the version and what it was built from, and do nothing else")
	fs.BoolVar(&a.man, "man", false, "print the manual page: "+name+" -man | man -l -")
	fs.StringVar(&a.shell, "completion", "", "print the completions of a `shell`, "+strings.Join(cmdline.Shells, ", ")+
		": source <("+name+" -completion bash)")
	cmdline.Offer(fs, "completion", cmdline.Shells...)
}

// print prints what the flags ask for, and reports whether they ask for something.
func (a *about) print(stdout io.Writer) (done bool, err error) {
	switch {
	case a.version:
		_, err = fmt.Fprintln(stdout, a.program.Name, buildinfo.Read())
	case a.man:
		var page bytes.Buffer
		a.program.Man(&page, buildinfo.Read())
		_, err = page.WriteTo(stdout)
	case a.shell != "":
		var script string
		if script, err = a.program.Script(a.shell); err == nil {
			_, err = io.WriteString(stdout, script)
		}
	default:
		return false, nil
	}
	return err == nil, err
}
