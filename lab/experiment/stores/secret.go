package stores

import (
	"net/url"
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

var passwordIs = regexp.MustCompile(`(?i)(password=)[^&\s]*`)

// redact hides the password in the address of a store: a URL, a list of words key=value, or
// the DSN user:password@tcp(host)/database, whose password may hold anything.
func redact(address string) string {
	address = passwordIs.ReplaceAllString(address, "${1}"+hidden)
	if scheme, rest, ok := strings.Cut(address, "://"); ok && scheme != "mysql" {
		u, err := url.Parse(address)
		if err != nil { // who knows where it begins
			return scheme + "://" + hidden + rest[strings.LastIndex(rest, "@")+1:]
		}
		if name := u.User.Username(); u.User != nil {
			if _, has := u.User.Password(); has {
				u.User = nil
				return scheme + "://" + url.User(name).String() + ":" + hidden + "@" + strings.TrimPrefix(u.String(), scheme+"://")
			}
		}
		return address
	}
	scheme, dsn, ok := strings.Cut(address, "://")
	if !ok {
		scheme, dsn = "", address
	} else {
		scheme += "://"
	}
	at := strings.LastIndex(dsn[:max(strings.LastIndex(dsn, "/"), 0)], "@")
	if name, _, has := strings.Cut(dsn[:max(at, 0)], ":"); has {
		return scheme + name + ":" + hidden + dsn[at:]
	}
	return address
}
