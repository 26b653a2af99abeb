package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/zmylab/zmy/internal/buildinfo"
	"github.com/zmylab/zmy/internal/cmdline"
)

const completionHelp = `usage: zmy completion bash|fish|zsh

Prints the completions of a shell: commands, flags, values of flags, files. For the shell that runs:

  source <(zmy completion bash)
  source <(zmy completion zsh)      # after compinit
  zmy completion fish | source

To have them in every shell, put that line into ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish. The
archives of a release hold the same texts as files. They ask the zmy that is installed, so they need
no update.
`

const manHelp = `usage: zmy man

Prints the manual page of zmy with the help of all commands. To read it:

  zmy man | man -l -
`

// self describes zmy for completions and the manual page.
func self() *cmdline.Program {
	p := &cmdline.Program{Name: "zmy", Short: "measure, generate and run the right serialization for Go types"}
	for _, cmd := range commands() {
		p.Commands = append(p.Commands, cmdline.Command{Name: cmd.name, Help: func(stdout io.Writer) {
			_ = cmd.run(context.Background(), &console{stdout, io.Discard}, []string{"-h"})
		}})
	}
	return p
}

// runCompletion runs zmy completion.
func runCompletion(_ context.Context, c *console, args []string) error {
	fs := flag.NewFlagSet("completion", flag.ContinueOnError)
	rest, err := parse(c, fs, completionHelp, args)
	if err != nil {
		return err
	}
	if len(rest) != 1 {
		return misread(fs, fmt.Errorf("name one shell: %s", strings.Join(cmdline.Shells, ", ")))
	}
	script, err := self().Script(rest[0])
	if err != nil {
		return misread(fs, err)
	}
	_, err = io.WriteString(c.stdout, script)
	return err
}

// runMan runs zmy man.
func runMan(_ context.Context, c *console, args []string) error {
	fs := flag.NewFlagSet("man", flag.ContinueOnError)
	rest, err := parse(c, fs, manHelp, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return misread(fs, fmt.Errorf("it takes no arguments, not %s", strings.Join(rest, " ")))
	}
	var page bytes.Buffer
	self().Man(&page, buildinfo.Read())
	_, err = page.WriteTo(c.stdout)
	return err
}
