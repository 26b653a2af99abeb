package contender

import "github.com/zmylab/zmy/lab/run"

// Unavailable is the contender of a codec that belongs into the table and could not be had when it
// was made: its row says so, with the command that was refused.
func Unavailable(i Info, module string) Info {
	i.Extra = true
	i.Plan = func(*Target) *run.Why {
		return &run.Why{
			What:   "skipped: it is not in the lab: it could not be had when this version was made",
			Reason: "`go list -m -versions " + module + "` was refused (403 Forbidden)",
			Next:   "where it can be had: zmy lab -contender DIR, a package of yours that calls it (docs/guide/contender.md)",
		}
	}
	return i
}
