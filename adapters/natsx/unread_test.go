package natsx_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/zmylab/zmy/adapters/natsx"
	"github.com/zmylab/zmy/internal/cputime"
	"github.com/zmylab/zmy/sse"
)

// BenchmarkUnread is what an event costs the process of a hub that nobody of it reads: server and
// publisher are other processes.
func BenchmarkUnread(b *testing.B) {
	for _, publishers := range []int{1, 8} {
		b.Run(fmt.Sprintf("publishers=%d", publishers), func(b *testing.B) { unread(b, publishers) })
	}
}

func unread(b *testing.B, publishers int) {
	url := startServers(b, 1).url()
	broker := patiently(b, "open", func(ctx context.Context) (sse.Broker, error) { return natsx.Open(ctx, url) })
	defer broker.Close()
	hub, err := sse.Open(b.Context(), broker)
	if err != nil {
		b.Fatal(err)
	}
	defer hub.Close()
	for i := range publishers {
		p := serving("", url)(fmt.Sprint(i))
		if _, err := p.StdinPipe(); err != nil { // it goes on until that ends
			b.Fatal(err)
		}
		if err := p.Start(); err != nil {
			b.Fatal(err)
		}
		defer func() {
			_ = p.Process.Kill()
			_ = p.Wait() // it was killed
		}()
	}
	events := func(n uint64) {
		for hub.Stats().Events < n {
			time.Sleep(time.Millisecond)
		}
	}
	events(100)
	begin := hub.Stats().Events
	b.ResetTimer()
	defer cputime.Report(b)()
	events(begin + uint64(b.N))
}
