package main

import (
	"testing"
	"time"
)

// TestProgress: a measurement that outlasts its plan does not claim to be within it.
func TestProgress(t *testing.T) {
	for spent, want := range map[time.Duration]string{
		12 * time.Second:                      "12 of about 20 s",
		20 * time.Second:                      "20 of about 20 s",
		20*time.Second + 400*time.Millisecond: "20 of about 20 s",
		48 * time.Second:                      "48 s, longer than the 20 s planned",
	} {
		if got := progress(spent, 20*time.Second); got != want {
			t.Errorf("%v: %q, want %q", spent, got, want)
		}
	}
}
