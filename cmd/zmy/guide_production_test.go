package main

import "testing"

// TestGuideProduction follows the pages about running and changing codecs in
// production as TestGuide does the others.
func TestGuideProduction(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	for _, page := range []string{"production.md", "migrate-jsoniter.md", "migrate-sonic.md", "migrate-json-to-zmy.md", "migrate-gogoproto.md"} {
		t.Run(page, func(t *testing.T) { followPage(t, page) })
	}
}
