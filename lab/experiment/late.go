package experiment

import (
	"fmt"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/quantity"
)

// Late says why a point of an open loop is not valid, "" if it is: its generator was late beside
// the median response.
func Late(late, response *openloop.Histogram) string {
	if openloop.Punctual(late, response, 0.5) {
		return ""
	}
	of := late.Quantile(0.5)
	return fmt.Sprintf("the generator was %s late, %s of the median response", quantity.Time(of),
		quantity.Share(of/response.Quantile(0.5)))
}
