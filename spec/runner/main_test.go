package main

import (
	"strings"
	"testing"
)

func TestCompare(t *testing.T) {
	var w strings.Builder
	if !compare(&w, "go", nil) {
		t.Errorf("no failures, none known: %s", w.String())
	}
	if compare(&w, "go", []string{"safe any/Dynamic/00"}) || !strings.Contains(w.String(), "go fails safe any/Dynamic/00") {
		t.Errorf("a failure that is not known: %q", w.String())
	}
}

func TestMatrix(t *testing.T) {
	var w strings.Builder
	err := matrix(&w, []column{{"go safe", map[string]*cell{"any": {passed: 3, failed: 1}}},
		{"java view", map[string]*cell{"any": {passed: 2, skipped: 2}}}})
	want := "category  go safe      java view\nany       3, 1 FAILED  2, 2 skipped\n"
	if err != nil || w.String() != want {
		t.Errorf("%v\n%q\n%q", err, w.String(), want)
	}
}
