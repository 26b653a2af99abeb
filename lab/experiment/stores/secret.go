package stores

import (
	"regexp"
	"slices"
	"strings"
)

// hidden replaces a password.
const hidden = "***"

// Redact hides the passwords of stores in the command, for the report.
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

// The patterns find the value after password=, passwd= or pass=. Outside of URLs there may be
// spaces around the sign. The value stands in single quotes, as in PostgreSQL's key=value lists, or
// ends at the next space; in a URL it ends at the next parameter. A quote that is not closed
// extends to the end.
var (
	passwordIs      = regexp.MustCompile(`(?i)(pass(?:word|wd)?\s*=\s*)('(?:[^'\\]|\\.)*'?|(?:[^\s'\\]|\\.)(?:[^\s\\]|\\.)*)`)
	passwordIsInURL = regexp.MustCompile(`(?i)([?&][^=&]*pass(?:word|wd)?=)[^&]*`)
)

// redact hides the password in the address of a store: a URL, a list of key=value words, or a DSN
// user:password@tcp(host)/database, whose password may contain any character. A misspelt address
// may contain a password too, so nothing is parsed: everything between the first colon and the last
// @ is hidden, which may be more than needed.
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
