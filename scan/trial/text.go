package trial

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/scan/predict"
)

// Text prints a result.
func (r *Result) Text(w io.Writer) error {
	fmt.Fprintf(w, "\nmeasured: CPU time of the whole process before and after the change, by turns, in %d rounds\n\n", r.Rounds)
	tab := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tab, "\tbefore\tafter\tsaved\tpredicted\t")
	for _, x := range r.Rows {
		if x.Error != "" {
			fmt.Fprintf(tab, "%s\t-\t-\t-\t-\tnot measured\n", x.title())
			continue
		}
		predicted := "-"
		if x.Predicted != nil {
			predicted = percent(*x.Predicted)
		}
		fmt.Fprintf(tab, "%s\t%s\t%s\t%s\t%s\t%s\n", x.title(), quantity.Time(x.Before), quantity.Time(x.After),
			percent(x.Saved), predicted, x.Verdict())
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	for _, x := range r.Rows {
		if len(r.Rows) <= detailed {
			x.sites(w)
		}
		for _, n := range x.said() {
			fmt.Fprintf(w, "\n%s: %s", x.title(), n)
		}
	}
	if len(r.Outside) > 0 {
		fmt.Fprintf(w, "\nnot measured, since they do not reach a site that changes: %s", strings.Join(r.Outside, ", "))
	}
	_, err := fmt.Fprintln(w)
	return err
}

// detailed is the most rows whose sites are printed.
const detailed = 3

// sites prints what the prediction is made of.
func (x *Row) sites(w io.Writer) {
	for _, s := range x.Sites {
		if s.Ratio != nil && s.Saving != nil {
			fmt.Fprintf(w, "\n  %s  %s: %.1f%% of CPU, %.2f× as fast (%.2f to %.2f) saves %s", place(s.File, s.Line), s.Call,
				100*(s.CPU.Point+s.GC.Point), s.Ratio.Point, s.Ratio.Lo, s.Ratio.Hi, percent(s.Saving.Share))
		}
	}
}

// said returns the sentences of a row.
func (x *Row) said() (all []string) {
	if x.Error != "" {
		all = append(all, x.Error)
	}
	if x.Why != "" {
		all = append(all, "no prediction: "+x.Why)
	}
	if v := x.Verdict(); x.Values == "made up" && (v == "less than predicted" || v == "more than predicted") {
		all = append(all, "the values of the prediction are made up: name documents by -sample TYPE=FILE")
	}
	return append(all, x.Notes...)
}

// title names a row: "store.BenchmarkLoad", or the last element of a command's path.
func (x *Row) title() string {
	name := x.Package[strings.LastIndexByte(x.Package, '/')+1:]
	if x.Name != "" {
		name += "." + x.Name
	}
	return name
}

// percent spells a share with its interval: "28.5% (27.9 to 29.1)".
func percent(i predict.Interval) string {
	return fmt.Sprintf("%.1f%% (%.1f to %.1f)", 100*i.Point, 100*i.Lo, 100*i.Hi)
}
