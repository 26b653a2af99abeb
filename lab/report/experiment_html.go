package report

import (
	"io"

	"github.com/zmylab/zmy/lab/run"
)

// ExperimentHTML writes one experiment as a self-contained file, by the rules of [HTML].
func ExperimentHTML(w io.Writer, e *run.Experiment) error {
	return pages.ExecuteTemplate(w, "solo.tmpl", struct {
		experimentPage
		assets
	}{newExperimentPage(e, mostOfOne), common})
}

// experimentPage is the data of an experiment's template.
type experimentPage struct {
	ID, Host, Command string
	E                 *run.Experiment
	Figures           []figure
}

func newExperimentPage(e *run.Experiment, frames int) experimentPage {
	return experimentPage{ID: "x-" + ident(e.Name), Host: hostOf(e.Host), Command: commandLine(e.Command), E: e, Figures: figures(e, frames)}
}
