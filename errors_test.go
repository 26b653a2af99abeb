package zmy

import (
	"strings"
	"testing"
)

func TestShortened(t *testing.T) {
	for path, want := range map[string]string{
		"":                                   "",
		"Items[3].Price":                     "Items[3].Price",
		strings.Repeat("Next.", 15) + "Next": "Next.Next.Next.Next.Next.Next.Next.Next.Next.Next.Next.Next.Next.Next.Next.Next",
		strings.Repeat("Next.", 63) + "Next": "Next.Next.Next.Next … 60 more",
		strings.Repeat("[0]", 64):            "[0][0][0][0] … 60 more",
		"A" + strings.Repeat(".B[1]", 30):    "A.B[1].B … 57 more",
	} {
		if got := shortened(path); got != want {
			t.Errorf("%s:\nhave %s\nwant %s", path, got, want)
		}
	}
}
