package avro

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes every kind of type through the codec. Whatever changes is
// named here.
func TestRoundTrip(t *testing.T) {
	labtest.RoundTrips(t, Info, map[string][]string{
		"kinds/app event":           {"lossy At ", "normalised "},
		"examples/order-lite Order": {"lossy Timestamp ", "normalised "},
		"examples/nested16 Node":    nil,
	})
}

func TestPlan(t *testing.T) {
	labtest.Refusals(t, Info, map[string]string{
		"kinds Names": "skipped: Names is no struct | kinds.go:19 | hamba/avro takes a pointer to a struct only | " +
			"leave this contender out: it is the type itself that it cannot carry",
		"kinds Wrong": `skipped: Wrong.Done has type chan bool | odd.go:64 | hamba/avro has no codec for it | leave it ` +
			`out with struct tag json:"-"`,
		"kinds Dynamic": `skipped: Dynamic.Any has type any | kinds.go:181 | a schema names every type that a value may ` +
			`have | leave it out with struct tag json:"-"`,
		"kinds Scalars": `skipped: Scalars.Uint has type uint | kinds.go:29 | hamba/avro has no codec for uint | leave it ` +
			`out with struct tag json:"-"`,
		"examples/sse SSEEvent":  "",
		"examples/result Result": "",
	})
}

// TestSchema: what each kind becomes; a record that is met again is named.
func TestSchema(t *testing.T) {
	for name, want := range map[string]string{
		"examples/sse SSEEvent": `{"type":"record","name":"R0","fields":[{"name":"ID","type":"string"},{"name":"Event","type":"string"},` +
			`{"name":"Data","type":"string"},{"name":"Replay","type":"boolean"},{"name":"Meta","type":{"type":"map","values":"string"}}]}`,
		"examples/result Result": `{"type":"record","name":"R0","fields":[{"name":"ID","type":{"type":"fixed","name":"F8","size":8}},` +
			`{"name":"Data","type":{"type":"array","items":"double"}},{"name":"Timestamp","type":"long"}]}`,
	} {
		got, err := schema(labtest.Target(t, name))
		if err != nil || string(got) != want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", name, err, got, want)
		}
	}
}
