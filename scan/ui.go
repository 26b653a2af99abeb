package scan

import (
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/run"
)

// typeUI says which type the lab is at.
type typeUI struct {
	lab.UI
	name string
}

func (u typeUI) Doing(text string) { u.UI.Doing(u.name + ": " + text) }
func (u typeUI) Say(text string)   { u.UI.Say(u.name + ": " + text) }
func (u typeUI) Note(text string)  { u.UI.Note(u.name + ": " + text) }
func (u typeUI) Rounds(phase string, spent, budget time.Duration) {
	u.UI.Rounds(u.name+", "+phase, spent, budget)
}

// First shows nothing: provisional figures of single codecs are no prediction.
func (u typeUI) First(*run.Contender, []*run.Cell) {}
