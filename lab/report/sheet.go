package report

import (
	"io"

	"github.com/zmylab/zmy/lab/run"
)

// Sheet is a page about something else than a run of the lab. It has the look of a report, and draws its
// sections in the same way as experiments.
type Sheet struct {
	Brand    string   // the command that made it: "zmy scan"
	Title    string   // what it is about
	Head     []string // the lines below the title
	Next     string   // heading of Steps
	Steps    []run.Step
	Sections []*run.Experiment // Name, Title and what is to be drawn; an empty field leaves out its part
	Foot     string            // what the footer says
}

// SheetHTML writes the page as one self-contained file, by the rules of [HTML].
func SheetHTML(w io.Writer, s *Sheet) error {
	page := struct {
		*Sheet
		assets
		Steps []stepList
		Pages []experimentPage
	}{Sheet: s, assets: common, Steps: stepLists(s.Steps)}
	for _, e := range s.Sections {
		page.Pages = append(page.Pages, newExperimentPage(e, mostOfOne))
	}
	return pages().ExecuteTemplate(w, "sheet.tmpl", page)
}
