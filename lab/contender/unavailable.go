package contender

import "github.com/zmylab/zmy/lab/run"

// Unavailable completes the Info of a codec that belongs in the table but could not be downloaded
// when the table was made. Its row says so and names the command that was refused.
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
