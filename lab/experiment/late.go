package experiment

import (
	"fmt"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/quantity"
)

// Late says why a point of an open loop is not valid, or returns "" if it is. A point is not valid
// if its generator was late by too much, compared with the median response.
func Late(late, response *openloop.Histogram) string {
	if openloop.Punctual(late, response, 0.5) {
		return ""
	}
	of := late.Quantile(0.5)
	return fmt.Sprintf("the generator was %s late, %s of the median response", quantity.Time(of),
		quantity.Share(of/response.Quantile(0.5)))
}
