package run

import "testing"

func TestGradeText(t *testing.T) {
	for want, g := range map[string]Grade{
		"":         {Except: []string{"Price (m.Money)"}},
		"lossless": {Grade: Lossless},
		"lossless except Items[].Price (m.Money), Total (m.Money), untested": {Grade: Lossless, Except: []string{"Items[].Price (m.Money)", "Total (m.Money)"}},
		"lossy except Price (m.Money), untested":                             {Grade: Lossy, Except: []string{"Price (m.Money)"}},
	} {
		if got := g.Text(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
