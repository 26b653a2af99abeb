package load

import (
	"bytes"
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"
)

const rtt = 50 * time.Millisecond

func numbered(i, n int) []byte { return bytes.Repeat([]byte{byte(i)}, n) }

// TestDelay sends both ways over a connection with a round trip put in, in virtual time: all bytes
// come in order, each by half of the round trip later, and none later because of those before it.
func TestDelay(t *testing.T) {
	const size = 100_000 // more than a parcel
	for _, way := range []string{"out", "in"} {
		synctest.Test(t, func(t *testing.T) {
			near, far := net.Pipe()
			d := delayBy(near, rtt, newTimerSleeper)
			var from, to net.Conn = d, far
			if way == "in" {
				from, to = far, d
			}
			start := time.Now()
			go func() {
				for i := range 20 {
					if _, err := from.Write(numbered(i, size)); err != nil {
						t.Error(err)
					}
					time.Sleep(time.Millisecond) // twenty are under way
				}
			}()
			for i := range 20 {
				got := make([]byte, size)
				if _, err := io.ReadFull(to, got); err != nil || !bytes.Equal(got, numbered(i, size)) {
					t.Fatalf("%s %d: %v", way, i, err)
				}
				if at, want := time.Since(start), rtt/2+time.Duration(i)*time.Millisecond; at != want {
					t.Errorf("%s: %d comes after %v, want %v", way, i, at, want)
				}
			}
			if err := d.Close(); err != nil {
				t.Error(err)
			}
			far.Close()
		})
	}
}

// TestDelayBandwidth: what is sent at one moment arrives at one moment, however much it is.
func TestDelayBandwidth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const megabytes = 100
		near, far := net.Pipe()
		d := delayBy(near, rtt, newTimerSleeper)
		start := time.Now()
		go func() {
			for range megabytes {
				if _, err := d.Write(make([]byte, 1e6)); err != nil {
					t.Error(err)
				}
			}
			if at := time.Since(start); at != 0 {
				t.Errorf("sending takes %v", at)
			}
		}()
		if n, err := io.CopyN(io.Discard, far, megabytes*1e6); err != nil || time.Since(start) != rtt/2 {
			t.Errorf("%d bytes come until %v, %v", n, time.Since(start), err)
		}
		d.Close()
		far.Close()
	})
}

// TestDelayFull: a writer waits while too much is under way, and is set free by Close.
func TestDelayFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		d := delayBy(near, time.Hour, newTimerSleeper)
		if _, err := d.Write(make([]byte, underway)); err != nil {
			t.Fatal(err)
		}
		done := make(chan error)
		go func() {
			_, err := d.Write([]byte{1})
			done <- err
		}()
		synctest.Wait()
		select {
		case err := <-done:
			t.Fatalf("a writer does not wait: %v", err)
		default:
		}
		go d.Close()
		if err := <-done; !errors.Is(err, net.ErrClosed) {
			t.Errorf("what was not sent: %v", err)
		}
		far.Close()
	})
}

// TestDelayEnds: the end of a connection comes after all that was sent before it, and an error of
// writing is told.
func TestDelayEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		d := delayBy(near, rtt, newTimerSleeper)
		go func() {
			far.Write([]byte("last words"))
			far.Close()
		}()
		got, err := io.ReadAll(d)
		if string(got) != "last words" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
		if _, err := d.Write([]byte{1}); err != nil {
			t.Errorf("an error that cannot be known yet: %v", err)
		}
		time.Sleep(rtt)
		if _, err := d.Write([]byte{1}); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("writing to who has gone: %v", err)
		}
		for range 2 {
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		}
		if _, err := d.Read(make([]byte, 1)); err == nil {
			t.Error("a closed connection is read from")
		}
	})
	if c, other := net.Pipe(); delay(c, 0) != c {
		t.Error("no delay wraps")
	} else {
		c.Close()
		other.Close()
	}
}

// TestSleep: nobody is woken too early, and whoever is closed is woken. How late is not for a test
// to say.
func TestSleep(t *testing.T) {
	for _, s := range []sleeper{newSleeper(), newTimerSleeper()} {
		for _, d := range []time.Duration{-time.Second, 0, 50 * time.Microsecond, 3 * time.Millisecond} {
			at := time.Now().Add(d)
			if !s.until(at) || time.Now().Before(at) {
				t.Errorf("%T: %v are over too early", s, d)
			}
		}
		woken := make(chan bool)
		go func() { woken <- s.until(time.Now().Add(time.Hour)) }()
		s.close()
		if <-woken {
			t.Errorf("%T: an hour is over", s)
		}
		if s.until(time.Now().Add(time.Hour)) {
			t.Errorf("%T waits after it was closed", s)
		}
	}
}
