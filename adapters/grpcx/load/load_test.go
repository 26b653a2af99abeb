package load

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	Register()
	code := m.Run()
	if code == 0 {
		err := goleak.Find()
		for end := time.Now().Add(time.Minute); err != nil && time.Now().Before(end); err = goleak.Find() {
			time.Sleep(10 * time.Millisecond) // a busy machine takes its time to end what is over
		}
		if err != nil {
			fmt.Println(err)
			code = 1
		}
	}
	os.Exit(code)
}

// TestRun makes a few messages of each cell: that all arrive, not how fast.
func TestRun(t *testing.T) {
	for _, kind := range []Kind{Unary, ServerStream, BidiStream} {
		for _, c := range []Config{
			{Size: 100, Messages: 10},
			{Size: 0, Messages: 3, Streams: 2},
			{Size: 64 << 10, Messages: 7, Streams: 3, Conns: 2, Window: 64 << 10},
			{Size: 1 << 20, Messages: 2, Gzip: true},
			{Size: 1 << 20, Messages: 2, RTT: 300 * time.Microsecond, Window: 1 << 20},
			{Size: 100, Messages: 3, RTT: 10 * time.Millisecond},
		} {
			c.Kind = kind
			t.Run(fmt.Sprintf("%v/%dB/%dstreams/%v/%t", kind, c.Size, c.Streams, c.RTT, c.Gzip), func(t *testing.T) {
				r, err := Run(t.Context(), c)
				if err != nil {
					t.Fatal(err)
				}
				if r.Sent != int64(c.Messages)*int64(c.Size) || r.Took <= 0 || r.P99 < r.P50 || r.MBps() < 0 {
					t.Errorf("%+v", r)
				}
				if kind == Unary && r.P50 < c.RTT {
					t.Errorf("half of the calls take less than %v, the round trip: %v", c.RTT, r.P50)
				}
			})
		}
	}
}

func TestRunRefuses(t *testing.T) {
	for _, c := range []Config{{}, {Messages: 1, Size: -1}, {Messages: 1, Size: maxMessage}} {
		if _, err := Run(t.Context(), c); err == nil {
			t.Errorf("%+v runs", c)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, Config{Messages: 1}); err == nil {
		t.Error("a cancelled run ends well")
	}
}

// TestDelay sends over a connection with a delay, in virtual time: all bytes come in order, each as late
// as it should, and no later because of those before it.
func TestDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const late = 25 * time.Millisecond
		a, b := net.Pipe()
		w := delay(a, late)
		start := time.Now()
		for i := range byte(10) { // one each millisecond, so that ten are under way
			if _, err := w.Write(bytes.Repeat([]byte{i}, 100)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
		}
		for i := range byte(10) {
			var got [100]byte
			if _, err := io.ReadFull(b, got[:]); err != nil || got[0] != i || got[99] != i {
				t.Fatalf("%d: %v, %v", i, got[0], err)
			}
			if at := time.Since(start); at != late+time.Duration(i)*time.Millisecond {
				t.Errorf("%d comes after %v", i, at)
			}
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		if _, err := w.Write([]byte{1}); err == nil {
			t.Error("a closed connection is written to")
		}
		if c, _ := net.Pipe(); delay(c, 0) != c {
			t.Error("no delay wraps")
		}
	})
}

// TestDelayFull: a writer waits while too much is under way, and is set free by Close.
func TestDelayFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := net.Pipe()
		w := delay(a, time.Hour)
		if _, err := w.Write(make([]byte, buffered)); err != nil {
			t.Fatal(err)
		}
		done := make(chan error)
		go func() {
			_, err := w.Write([]byte{1})
			done <- err
		}()
		synctest.Wait()
		select {
		case err := <-done:
			t.Fatalf("a writer does not wait: %v", err)
		default:
		}
		go w.Close()
		if err := <-done; err == nil {
			t.Error("what was not sent is no error")
		}
		b.Close()
	})
}
