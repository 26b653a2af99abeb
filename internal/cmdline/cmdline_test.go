package cmdline_test

import (
	"bytes"
	"flag"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/zmylab/zmy/internal/buildinfo"
	"github.com/zmylab/zmy/internal/cmdline"
)

const brewHelp = `usage: pot brew FILE [flags]
       pot brew -self

Brews tea: by a file of orders. It takes minutes.

  -tea a,b       teas to brew,
                 .one after the other
  -cup SIZE      small, large
  -o DIR         where to put it
  -sugar         add "sugar" \ honey
`

// pot is a program with all that cmdline knows.
func pot() *cmdline.Program {
	brew := func(stdout io.Writer) {
		fs := flag.NewFlagSet("brew", flag.ContinueOnError)
		fs.String("tea", "", "")
		cmdline.OfferList(fs, "tea", "green", "black", "grey")
		fs.String("cup", "", "")
		cmdline.Offer(fs, "cup", "small", "large")
		fs.String("o", "", "")
		fs.Bool("sugar", false, "")
		fs.Bool("secret", false, "")
		cmdline.Help(stdout, fs, brewHelp)
	}
	cold := func(stdout io.Writer) {
		fs := flag.NewFlagSet("brew cold", flag.ContinueOnError)
		fs.Bool("v", false, "say `more`")
		help := "usage: pot brew cold [package folder]\n\nBrews without heat.\n\n\tpot brew cold .\n\nflags:\n"
		cmdline.Help(stdout, fs, help+cmdline.Defaults(fs))
	}
	return &cmdline.Program{Name: "pot", Short: "make tea", Commands: []cmdline.Command{{"brew", brew}, {"brew cold", cold},
		{"gone", func(w io.Writer) {}}}}
}

func TestComplete(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"", "brew\tBrews tea"},
		{"b", "brew\tBrews tea"},
		{"x", ""},
		{"help ", "brew\tBrews tea"},
		{"help brew ", "cold\tBrews without heat"},
		{"brew ", "cold\tBrews without heat|:files"},
		{"brew c", "cold\tBrews without heat|:files"},
		{"brew a.json ", ":files"},
		{"brew cold ", ":folders"},
		{"brew cold -", "-v\tsay more"},
		{"brew -", `-cup	small, large|-o	where to put it|-sugar	add "sugar" \ honey|-tea	teas to brew, .one after the other`},
		{"brew --s", `--sugar	add "sugar" \ honey`},
		{"brew -cup ", "small|large"},
		{"brew --cup l", "large"},
		{"brew -cup=", "-cup=small|-cup=large"},
		{"brew -cup = s", "-cup=small"}, // as bash splits it
		{"brew -cup =", "-cup=small|-cup=large"},
		{"brew -o ", ":folders"},
		{"brew -o=x", ":folders"},
		{"brew -sugar ", ":files"},
		{"brew -tea g", "green|grey"},
		{"brew -tea green,g", "green,grey"},
		{"brew -tea=green,", "-tea=green,black|-tea=green,grey"},
		{"brew -none=", ""},
		{"gone -", ""},
		{"gone ", ""},
	} {
		var out bytes.Buffer
		pot().Complete(&out, strings.Split(c.line, " "))
		if got := strings.ReplaceAll(strings.TrimSuffix(out.String(), "\n"), "\n", "|"); got != c.want {
			t.Errorf("pot %s:\ngot  %s\nwant %s", c.line, got, c.want)
		}
	}
	pot().Complete(io.Discard, nil) // a shell that hands over nothing
}

func TestScript(t *testing.T) {
	for _, shell := range cmdline.Shells {
		text, err := pot().Script(shell)
		if err != nil || !strings.Contains(text, cmdline.Asking) || strings.Contains(text, "PROGRAM") {
			t.Errorf("%s: %v\n%s", shell, err, text)
		}
	}
	if _, err := pot().Script("csh"); err == nil || !strings.Contains(err.Error(), "choose bash, fish, zsh") {
		t.Errorf("csh: %v", err)
	}
}

const page = `.TH POT 1 "2026-11-24" "pot v0.1.0"
.nh
.SH "NAME"
pot \- make tea
.SH "SYNOPSIS"
\fBpot\fR \fIcommand\fR [\fIarguments\fR]
.SH "COMMANDS"
.SS "pot brew"
.nf
pot brew FILE [flags]
pot brew \-self
.fi
.PP
Brews tea: by a file of orders. It takes minutes.
.TP
\fB\-tea\fR \fIa,b\fR
teas to brew, .one after the other
.TP
\fB\-cup\fR \fISIZE\fR
small, large
.TP
\fB\-o\fR \fIDIR\fR
where to put it
.TP
\fB\-sugar\fR
add "sugar" \e honey
.SS "pot brew cold"
.nf
pot brew cold [package folder]
.fi
.PP
Brews without heat.
.PP
.nf
    pot brew cold .
.fi
.PP
flags:
.TP
\fB\-v\fR \fImore\fR
say more
.SH "SEE ALSO"
https://github.com/zmylab/zmy
`

func TestMan(t *testing.T) {
	var out bytes.Buffer
	pot().Man(&out, buildinfo.Info{Release: "v0.1.0", Date: "2026-11-24T01:02:03Z"})
	if got := out.String(); got != page {
		t.Errorf("got\n%s\nwant\n%s", got, page)
	}
	if _, err := exec.LookPath("mandoc"); err != nil {
		t.Skip("mandoc is missing: the page is not checked by it")
	}
	lint := exec.Command("mandoc", "-Tlint", "-Wwarning")
	lint.Stdin = strings.NewReader(page)
	if text, err := lint.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}
