package cmdline

import (
	"embed"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Shells are the shells that Script knows.
var Shells = []string{"bash", "fish", "zsh"}

// Asking is the first argument with which the scripts of Script ask a program for completions. The
// words of the command line follow, up to the one that the user completes.
const Asking = "__complete"

//go:embed complete.bash complete.fish complete.zsh
var scripts embed.FS

// Script returns the program that a shell reads in order to complete the command lines of p.
func (p *Program) Script(shell string) (string, error) {
	if !slices.Contains(Shells, shell) {
		return "", fmt.Errorf("there are no completions for the shell %q: choose %s", shell, strings.Join(Shells, ", "))
	}
	text, err := scripts.ReadFile("complete." + shell)
	return strings.ReplaceAll(string(text), "PROGRAM", p.Name), err
}

// Lines with which an answer asks the shell to add names of its own.
const (
	addFiles   = ":files"
	addFolders = ":folders"
)

// answer is the list of completions of a word.
type answer struct {
	word  string // what the user has typed
	lines []string
}

// add adds a completion if the word is its beginning.
func (a *answer) add(word, about string) {
	if strings.HasPrefix(word, a.word) {
		a.lines = append(a.lines, strings.TrimSpace(word+"\t"+about))
	}
}

// Complete writes the completions of the last of words, which are the arguments of the program. Each
// line has a completion, a tab, and what it is. The line :files or :folders asks the shell to add
// names of files or folders.
func (p *Program) Complete(w io.Writer, words []string) {
	words = joined(words)
	a := &answer{}
	if n := len(words); n > 0 {
		a.word, words = words[n-1], words[:n-1]
	}
	if len(words) > 0 && words[0] == "help" {
		words = words[1:]
		p.commands(a, words)
	} else {
		c, args := p.find(words)
		p.commands(a, words)
		if c != nil {
			c.complete(a, args)
		}
	}
	for _, line := range a.lines {
		fmt.Fprintln(w, line)
	}
}

// joined returns words with "-flag", "=", "value" joined: bash splits them.
func joined(words []string) (all []string) {
	for i := 0; i < len(words); i++ {
		n := len(all) - 1
		if words[i] == "=" && n >= 0 && strings.HasPrefix(all[n], "-") {
			all[n] += "="
			if i+1 < len(words) {
				all[n] += words[i+1]
				i++
			}
			continue
		}
		all = append(all, words[i])
	}
	return all
}

// find returns the command that words begin with, and its arguments.
func (p *Program) find(words []string) (c *Command, args []string) {
	for n := min(len(words), 2); n >= 0; n-- { // two words first
		name := strings.Join(words[:n], " ")
		if i := slices.IndexFunc(p.Commands, func(c Command) bool { return c.Name == name }); i >= 0 {
			return &p.Commands[i], words[n:]
		}
	}
	return nil, nil
}

// commands adds the names of commands that come after words.
func (p *Program) commands(a *answer, words []string) {
	if len(words) > 1 {
		return
	}
	for _, c := range p.Commands {
		if names := strings.Fields(c.Name); len(names) == len(words)+1 && slices.Equal(names[:len(words)], words) {
			if d, last := c.declare(), names[len(words)]; d.Len() > 0 {
				a.add(last, summary(d.String()))
			}
		}
	}
}

// complete adds completions of a word after args.
func (c *Command) complete(a *answer, args []string) {
	d := c.declare()
	if d.flags == nil {
		return
	}
	if name, value, ok := strings.Cut(a.word, "="); ok && strings.HasPrefix(name, "-") {
		if f := flagOf(d.flags, name); f != nil {
			a.word = value
			d.values(a, f)
			for i := range a.lines {
				if !strings.HasPrefix(a.lines[i], ":") {
					a.lines[i] = name + "=" + a.lines[i]
				}
			}
		}
		return
	}
	if len(args) > 0 {
		if f := flagOf(d.flags, args[len(args)-1]); f != nil && !isBool(f) {
			d.values(a, f)
			return
		}
	}
	if dashes := a.word[:len(a.word)-len(strings.TrimLeft(a.word, "-"))]; dashes != "" {
		d.flags.VisitAll(func(f *flag.Flag) {
			if strings.HasPrefix(dashes+f.Name, a.word) && d.mentions(f.Name) {
				o, _ := d.option(f.Name)
				a.add(dashes+f.Name, strings.Join(o.about, " "))
			}
		})
		return
	}
	for b := range blocks(d.String()) {
		if b.usage != nil {
			a.names(b.usage[0])
		}
	}
}

// flagOf returns the flag of the word -name or --name, or nil.
func flagOf(fs *flag.FlagSet, word string) *flag.Flag {
	name, ok := strings.CutPrefix(word, "-")
	if !ok {
		return nil
	}
	return fs.Lookup(strings.TrimPrefix(name, "-"))
}

// values adds values of a flag.
func (d *declaration) values(a *answer, f *flag.Flag) {
	o, ok := f.Value.(*offered)
	switch {
	case !ok:
		said, _ := d.option(f.Name)
		a.names(said.takes)
		return
	case !o.list:
		for _, w := range o.words {
			a.add(w, "")
		}
		return
	}
	before := a.word[:strings.LastIndex(a.word, ",")+1]
	given := strings.Split(before, ",")
	for _, w := range o.words {
		if !slices.Contains(given, w) {
			a.add(before+w, "")
		}
	}
}

// names asks the shell for names of files or folders if the usage of a command or flag has them.
func (a *answer) names(usage string) {
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(usage, w) })
	}
	switch {
	case has("FILE", "file", " A B "):
		a.lines = append(a.lines, addFiles)
	case has("DIR", "PACKAGE", "folder", "package"):
		a.lines = append(a.lines, addFolders)
	}
}
