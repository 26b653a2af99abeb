package natsx_test

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/zmylab/zmy/internal/patience"
	"github.com/zmylab/zmy/sse"
)

// TestConsumers: who has read the history leaves nothing at the server. It would serve each of a
// thousand clients that come back for minutes after they were sent what they had missed.
func TestConsumers(t *testing.T) {
	url := start(t, t.TempDir())
	b := open(t, url)
	last, err := b.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if _, err := b.Append(t.Context(), "a", sse.Message{}); err != nil {
			t.Fatal(err)
		}
	}
	tail, err := b.Tail(t.Context(), last)
	if err != nil {
		t.Fatal(err)
	}
	for limit := range 20 {
		for _, topic := range []string{"a", "none"} {
			if _, err := b.Read(t.Context(), nil, []string{topic}, last, limit); err != nil {
				t.Fatal(err)
			}
		}
	}
	conn, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	left := func(want int) {
		t.Helper()
		n := -1
		if !patience.Wait(time.Minute, func() bool {
			s, err := js.Stream(t.Context(), "ZMY_SSE")
			if err != nil {
				t.Fatal(err)
			}
			n = s.CachedInfo().State.Consumers
			return n == want
		}) {
			t.Errorf("the stream has %d consumers, want %d", n, want)
		}
	}
	left(1)
	if err := tail.Close(); err != nil {
		t.Fatal(err)
	}
	left(0)
}
