package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
)

// card is what the gallery says about a report.
type card struct {
	Folder string `json:"folder"`
	Title  string `json:"title"`
	Text   string `json:"text"`
	Detail string `json:"detail"`
	Chart  []bar  `json:"chart,omitempty"`
}

// bar is a codec in a card's chart. Width is a percentage.
type bar struct {
	Name  string  `json:"name"`
	Width float64 `json:"width"`
}

// Gallery draws the report of every run in docs/results of the tree into work/static/results, and
// writes work/data/reports.json, the list of the gallery: the runs with most contenders first.
func Gallery(tree, work string) error {
	names, err := filepath.Glob(filepath.Join(tree, "docs/results/*", report.FileJSON))
	if err != nil {
		return err
	}
	type entry struct {
		card
		contenders int
	}
	all := make([]entry, 0, len(names))
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		r, err := report.ReadJSON(bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		var page bytes.Buffer
		if err := report.HTML(&page, r); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		c := describe(r)
		c.Folder = filepath.Base(filepath.Dir(name))
		if err := write(filepath.Join(work, "static/results", c.Folder, report.FileHTML), page.Bytes()); err != nil {
			return err
		}
		all = append(all, entry{c, min(len(r.Cells), 1) * len(r.Contenders)})
	}
	slices.SortStableFunc(all, func(a, b entry) int { return b.contenders - a.contenders })
	cards := make([]card, len(all))
	for i, e := range all {
		cards[i] = e.card
	}
	list, err := json.MarshalIndent(cards, "", "\t")
	if err != nil {
		return err
	}
	return write(filepath.Join(work, "data/reports.json"), list)
}

// describe fills in a card, except for its folder.
func describe(r *run.Run) card {
	c := card{Title: r.Subject.Name}
	var experiments []string
	for _, x := range r.Experiments {
		experiments = append(experiments, x.Title)
	}
	detail := []string{strings.Replace(r.Host.Go, "go", "Go ", 1)}
	if len(r.Cells) == 0 { // experiments only
		if c.Title == "" {
			c.Title = experiments[0]
		} else {
			detail = slices.Insert(detail, 0, experiments...)
		}
		c.Text = r.Experiments[0].Question
		c.Detail = strings.Join(detail, " · ")
		return c
	}
	c.Text = fmt.Sprintf("Both ends Go: %s. JSON must stay: %s.", orNone(r.Verdict.Pick), orNone(r.Verdict.PickJSON))
	if pick := r.Verdict.PickProto; pick != "" {
		c.Text += " Protobuf must stay: " + pick + "."
	}
	if len(experiments) > 0 {
		c.Text += " Also: " + strings.ToLower(strings.Join(experiments, ", ")) + "."
	}
	c.Detail = strings.Join(append([]string{
		fmt.Sprintf("%d codecs", len(r.Contenders)), fmt.Sprintf("noise floor ±%.1f%%", 100*r.Noise.Floor)}, detail...), " · ")
	c.Chart = chart(r)
	return c
}

func orNone(codec string) string {
	if codec == "" {
		return "none"
	}
	return codec
}

// chart has the first codecs of the ranking and the baseline, by encode + decode time.
func chart(r *run.Run) (out []bar) {
	const most = 4
	longest := 0.0
	var shown []run.Rank
	for _, k := range r.Ranking {
		if len(shown) < most || k.Codec == run.Baseline {
			shown = append(shown, k)
			longest = max(longest, k.Total.Median)
		}
	}
	for _, k := range shown {
		out = append(out, bar{fmt.Sprintf("%s %.3g×", k.Codec, k.Ratio.Point), 100 * k.Total.Median / longest})
	}
	return out
}
