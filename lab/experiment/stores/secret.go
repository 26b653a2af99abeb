package stores

import (
	"regexp"
	"slices"
	"strings"
)

// hidden stands for a password.
const hidden = "***"

// Redact hides the passwords of stores in the command that the report shows.
func (e *Experiment) Redact(command []string) []string {
	out := slices.Clone(command)
	for i, arg := range out {
		for _, kind := range kinds {
			flag, value, joined := strings.Cut(arg, "=")
			switch name := strings.TrimLeft(flag, "-"); {
			case name != kind.name || name == flag:
			case joined:
				out[i] = flag + "=" + redact(value)
			case i+1 < len(out):
				out[i+1] = redact(out[i+1])
			}
		}
	}
	return out
}

// What follows password=, also with spaces around the sign: a value in single quotes, as
// PostgreSQL's lists of words spell it, or up to a space; in a URL up to the next parameter. A
// quote that is not closed takes all that follows.
var (
	passwordIs      = regexp.MustCompile(`(?i)(pass(?:word|wd)?\s*=\s*)('(?:[^'\\]|\\.)*'?|(?:[^\s'\\]|\\.)(?:[^\s\\]|\\.)*)`)
	passwordIsInURL = regexp.MustCompile(`(?i)([?&][^=&]*pass(?:word|wd)?=)[^&]*`)
)

// redact hides the password in the address of a store: a URL, a list of words key=value, or
// the DSN user:password@tcp(host)/database, whose password may hold anything. Addresses that
// are misspelt have one too, so nothing is parsed: what lies between the first colon and the
// last @ is hidden, which at worst is too much.
func redact(address string) string {
	scheme, rest, isURL := strings.Cut(address, "://")
	if !isURL || strings.ContainsAny(scheme, ":@= ") {
		scheme, rest, isURL = "", address, false
	} else {
		scheme += "://"
	}
	hide := passwordIs
	if isURL {
		hide = passwordIsInURL
	}
	rest = hide.ReplaceAllString(rest, "${1}"+hidden)
	at := max(strings.LastIndex(rest, "@"), 0)
	if name, _, has := strings.Cut(rest[:at], ":"); has {
		rest = name + ":" + hidden + rest[at:]
	}
	return scheme + rest
}
