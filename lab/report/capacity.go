package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// The capacity table starts with these figures, and its reader can set others. The prices are round
// numbers, not those of a provider.
const (
	messagesPerSecond = 100_000
	pricePerCore      = 0.04 // for an hour of one core
	pricePerGB        = 0.05 // for 10^9 bytes sent
	hoursPerMonth     = 730
)

// loadRow is the cost of a codec for a service that encodes and decodes each message once.
type loadRow struct {
	C                      *run.Contender
	Ns, Bytes              float64 // CPU time and mean bytes of one message
	Cores, Day, Cost       string
	CoresN, BytesDay, Paid float64
}

// load returns what each ranked codec costs, by CPU time.
func load(r *run.Run, all []row) []loadRow {
	var out []loadRow
	for _, x := range all {
		if x.Enc == nil || x.Dec == nil || x.Rank == nil {
			continue
		}
		k := loadRow{C: x.C, Ns: x.Enc.CPU.Median + x.Dec.CPU.Median, Bytes: x.meanSize()}
		if k.Ns == 0 { // the system reports no CPU time
			k.Ns = x.Enc.Wall.Median + x.Dec.Wall.Median
		}
		k.CoresN, k.BytesDay = messagesPerSecond*k.Ns/1e9, messagesPerSecond*86400*k.Bytes
		k.Paid = k.CoresN*hoursPerMonth*pricePerCore + k.BytesDay*hoursPerMonth/24/1e9*pricePerGB
		k.Cores, k.Day, k.Cost = fmt.Sprintf("%.3g", k.CoresN), decimal(k.BytesDay), group(fmt.Sprintf("%.0f", k.Paid))
		out = append(out, k)
	}
	return out
}

// decimal spells bytes in powers of ten, as providers of links count them.
func decimal(b float64) string {
	for _, u := range []unit{{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}} {
		if b >= u.Size {
			return fmt.Sprintf("%.1f %s", b/u.Size, u.Name)
		}
	}
	return fmt.Sprintf("%.1f kB", b/1e3)
}

// topRow says how often a contender came first when weights were drawn.
type topRow struct {
	Codec, All, JSON string
	Pct              float64
}

// tops returns the contenders that came first in at least 1% of the draws.
func tops(r *run.Run) []topRow {
	var out []topRow
	in := func(all []run.Share, codec string) string {
		if share, ok := stats.ShareOf(all, codec); ok {
			return percent(share)
		}
		return "–"
	}
	seen := map[string]bool{}
	for _, list := range [][]run.Share{r.Verdict.Top, r.Verdict.TopJSON} {
		for _, s := range list {
			if s.Share >= 0.01 && !seen[s.Codec] {
				seen[s.Codec] = true
				share, _ := stats.ShareOf(r.Verdict.Top, s.Codec)
				out = append(out, topRow{Codec: clean(s.Codec), All: in(r.Verdict.Top, s.Codec), JSON: in(r.Verdict.TopJSON, s.Codec),
					Pct: 100 * share})
			}
		}
	}
	return out
}

// topShare returns in which share of the draws a pick came first. If codec is only the pick for
// JSON, it returns the share among JSON codecs. The bool is false if the share is unknown, as for the
// pick for protobuf, or if there was only one candidate.
func topShare(v run.Verdict, codec string) (string, bool) {
	all := v.Top
	if codec == v.PickProto && codec != v.Pick {
		return "", false
	}
	if codec == v.PickJSON && codec != v.Pick {
		all = v.TopJSON
	}
	share, ok := stats.ShareOf(all, codec)
	return fmt.Sprintf("%.0f%%", 100*share), ok && len(all) > 1
}

// ableRow is one contender's capabilities in the order of the columns.
type ableRow struct {
	C     *run.Contender
	Cells []run.Capability // an empty Name: nothing is known
}

// capabilities returns the names of all capabilities, and a row for each contender that has any.
func capabilities(r *run.Run) (names []string, out []ableRow) {
	able := slices.DeleteFunc(slices.Clone(r.Contenders), func(c *run.Contender) bool { return len(c.Capabilities) == 0 })
	names, cells := matrix(able, func(c *run.Contender) []run.Capability { return c.Capabilities },
		func(k run.Capability) string { return k.Name })
	for i, c := range able {
		out = append(out, ableRow{c, cells[i]})
	}
	return names, out
}

// matrix arranges the entries of all rows in columns by their names. It returns the names in the
// order in which they first occur; in cells an entry that a row does not have is the zero value.
func matrix[R, E any](rows []R, of func(R) []E, name func(E) string) (names []string, cells [][]E) {
	at := map[string]int{}
	for _, r := range rows {
		for _, e := range of(r) {
			if _, ok := at[name(e)]; !ok {
				at[name(e)] = len(names)
				names = append(names, name(e))
			}
		}
	}
	for _, r := range rows {
		row := make([]E, len(names))
		for _, e := range of(r) {
			row[at[name(e)]] = e
		}
		cells = append(cells, row)
	}
	return names, cells
}

func ableClass(k run.Capability) string {
	return cmp.Or(map[string]string{"yes": "good", "no": "none", "partly": "warn"}[k.Value], "plain")
}
