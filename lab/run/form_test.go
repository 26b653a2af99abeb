package run

import (
	"slices"
	"testing"
)

// TestForms: each kind of change of form has its words, and is named once, with the first place that shows it.
func TestForms(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"empty", "nil", "empty slices to nil"},
		{"nil", "empty", "nil slices to empty ones"},
		{"map[string]any (0 keys)", "nil", "empty maps to nil"},
		{"nil", "map[string]string (0 keys)", "nil maps to empty ones"},
		{"2024-05-01T12:30:00+05:45", "2024-05-01T06:45:00Z", formZoneUTC},
		{"1880-01-01T00:00:00-04:56", "1880-01-01T04:56:02Z", formZoneUTC},
		{"2024-05-01T12:30:00+05:45", "2024-05-01T08:45:00+02:00", formZoneLocal},
		{"2006-09-19T02:31:20.845698216Z UTC", "2006-09-19T02:31:20.845698216Z Local", formZoneLocal},
		{"2024-05-01T12:30:00+05:45", "2024-05-01T12:30:00+05:45", formZoneOffset},
		{"int 7242", "uint16 7242", formIntegers},
		{"time.Duration 1m30s", "int64 90000000000", formIntegers},
		{"*big.Int 12", "big.Int 12", formPointers},
		{"-0 (precision 0)", "-0 (precision 64)", formPrecision},
		{"{ \"b\" : [ 1 ,\n2 ] }", `{"b":[1,2]}`, formRaw},
		{"nil", "null", formRaw},
		{"1.50", "1.5", formNumbers},
		{`"kept"`, "shop.Secret{…}", ""},
	} {
		if got := formOf(c.before, c.after); got != c.want {
			t.Errorf("%s → %s: %q, want %q", c.before, c.after, got, c.want)
		}
	}
	g := Grade{
		Diffs: []Diff{{Path: "Tags", Before: "empty", After: "nil", Kind: "normalised", Count: 7},
			{Path: "N", Before: "1", After: "2", Kind: "lossy"}},
		Edges: []Edge{{Path: "Items", Result: EdgeNormalised, Before: "empty", After: "nil"},
			{Path: "At", Result: EdgeNormalised, Before: "2024-05-01T12:30:00+05:45", After: "2024-05-01T06:45:00Z"},
			{Path: "Name", Result: EdgeLost, Before: `"a"`, After: `"b"`}},
	}
	want := []Form{{"empty slices to nil", "Tags", "empty", "nil", 7},
		{formZoneUTC, "At", "2024-05-01T12:30:00+05:45", "2024-05-01T06:45:00Z", 0}}
	if got := g.Forms(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
