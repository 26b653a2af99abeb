// Package cmdline makes the completions of shells and the manual page of a program from what its
// commands declare: their flags and their help texts. So neither can become stale.
//
// A command declares itself by what it does when it is asked for help: it adds its flags to a
// flag.FlagSet, and calls Help.
package cmdline

import (
	"bytes"
	"flag"
	"io"
	"regexp"
	"slices"
	"strings"
)

// Program is a program and its commands.
type Program struct {
	Name     string
	Short    string    // what it does, in a few words
	Commands []Command // a program without subcommands has one, whose name is ""
}

// Command is one command of a program.
type Command struct {
	Name string                 // one word, or two: "lab gate"
	Help func(stdout io.Writer) // runs it with the argument -h; a command without help is left out
}

// Help prints the help of a command. fs has all its flags. text is the help: first the usage, each
// form of it on a line; then paragraphs; and flags, each indented by two spaces:
//
//	-type TYPE       what it is, in one line
//	                 or several
//
// If stdout is the writer that a Program gives to its commands, Help also declares the flags.
func Help(stdout io.Writer, fs *flag.FlagSet, text string) {
	if d, ok := stdout.(*declaration); ok {
		d.flags = fs
	}
	_, _ = io.WriteString(stdout, text)
}

// declaration is what a command declares.
type declaration struct {
	bytes.Buffer // the help text
	flags        *flag.FlagSet
}

func (c *Command) declare() *declaration {
	d := &declaration{}
	c.Help(d)
	return d
}

// Defaults returns the help of flags that have their usage in fs.
func Defaults(fs *flag.FlagSet) string {
	var b strings.Builder
	old := fs.Output()
	fs.SetOutput(&b)
	fs.PrintDefaults()
	fs.SetOutput(old)
	return b.String()
}

// Offer has completions offer words as values of a flag of fs. The flag may accept others.
func Offer(fs *flag.FlagSet, name string, words ...string) { offer(fs, name, false, words) }

// OfferList is Offer for a flag whose value is a list, separated by commas.
func OfferList(fs *flag.FlagSet, name string, words ...string) { offer(fs, name, true, words) }

func offer(fs *flag.FlagSet, name string, list bool, words []string) {
	f := fs.Lookup(name)
	f.Value = &offered{f.Value, words, list}
}

// offered is the value of a flag for which there are words.
type offered struct {
	flag.Value
	words []string
	list  bool
}

// String returns the value. Package flag also calls it for the zero offered.
func (o *offered) String() string {
	if o.Value == nil {
		return ""
	}
	return o.Value.String()
}

// option is a flag as the help shows it.
type option struct {
	name  string
	takes string   // its value: FILE; "" for a flag without one
	about []string // lines
}

var optionLine = regexp.MustCompile(`^  -([A-Za-z][\w-]*)(?:[ =](.*))?$`)

// parseOption parses the first line of a flag in a help text.
func parseOption(line string) (o option, ok bool) {
	m := optionLine.FindStringSubmatch(strings.ReplaceAll(line, "\t", "   ")) // PrintDefaults writes a tab after -v
	if m == nil {
		return o, false
	}
	takes, about, _ := strings.Cut(" "+m[2], "  ")
	o.name, o.takes = m[1], strings.TrimSpace(takes)
	if about = strings.TrimSpace(about); about != "" {
		o.about = []string{about}
	}
	return o, true
}

// options returns the flags of a help text.
func (d *declaration) options() (all []option) {
	for b := range blocks(d.String()) {
		all = append(all, b.options...)
	}
	return all
}

// mentions reports whether the help names a flag. One that it does not name is not for users.
func (d *declaration) mentions(name string) bool {
	return regexp.MustCompile(`(^|\s)-` + regexp.QuoteMeta(name) + `($|[\s,.:=])`).MatchString(d.String())
}

// option returns what the help says about a flag. If it says nothing, ok is false.
func (d *declaration) option(name string) (o option, ok bool) {
	all := d.options()
	i := slices.IndexFunc(all, func(o option) bool { return o.name == name })
	if i < 0 {
		return o, false
	}
	return all[i], true
}

func isBool(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}
