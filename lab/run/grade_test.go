package run

import "testing"

func TestGradeText(t *testing.T) {
	for want, g := range map[string]Grade{
		"":         {Except: []string{"Price (m.Money)"}},
		"lossless": {Grade: Lossless},
		"lossless except m.Money (2 places), At (n.Time), Any, untested": {Grade: Lossless,
			Except: []string{"Items[].Price (m.Money)", "At (n.Time)", "Total (m.Money)", "Any"}},
		"lossy except Price (m.Money), untested": {Grade: Lossy, Except: []string{"Price (m.Money)"}},
	} {
		if got := g.Text(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
