package promx

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/patience"
)

// TestOthersTakeNoLock: messages find their series while writers hold the locks, those beyond the
// bounds too.
func TestOthersTakeNoLock(t *testing.T) {
	m, err := New(Options{MaxMethods: 2, MaxCodecs: 2})
	if err != nil {
		t.Fatal(err)
	}
	type methodKey struct{}
	c := m.Calls(func(ctx context.Context) (string, bool, bool) { return ctx.Value(methodKey{}).(string), true, true }).(*calls)
	for _, k := range []struct{ name, method, codec string }{
		{"known", "/m0", "c0"},
		{"another method", "/m%d", "c0"},
		{"another codec", "/m0", "c%d"},
		{"both", "/m%d", "c%d"},
	} {
		t.Run(k.name, func(t *testing.T) {
			end := func(i int) {
				vary := func(s string) string {
					if s[len(s)-1] == 'd' {
						return fmt.Sprintf(s, i)
					}
					return s
				}
				ctx := context.WithValue(t.Context(), methodKey{}, vary(k.method))
				c.End(ctx, codec.Event{Codec: vary(k.codec), Duration: time.Microsecond, Size: 100})
			}
			for i := range 4 { // the bounds are reached, and there are series of other
				end(i)
			}
			done := make(chan struct{})
			c.mu.Lock()
			m.mu.Lock()
			go func() {
				defer close(done)
				for i := range 8 {
					end(i)
				}
			}()
			select {
			case <-done:
			case <-time.After(patience.For(time.Minute)):
				t.Error("a message waits for a lock")
			}
			m.mu.Unlock()
			c.mu.Unlock()
			<-done
		})
	}
}

// TestKnownMethodsStay: what was met before the bound keeps its name, in codecs and operations that
// it is met in later.
func TestKnownMethodsStay(t *testing.T) {
	m, err := New(Options{MaxMethods: 2})
	if err != nil {
		t.Fatal(err)
	}
	c := m.Calls(nil).(*calls)
	for i := range 3 {
		c.find(callKey{method: fmt.Sprint("/m", i), codec: "a"})
	}
	for _, k := range []struct{ method, want string }{{"/m0", "/m0"}, {"/m1", "/m1"}, {"/m2", other}, {"/m3", other}} {
		for _, key := range []callKey{{method: k.method, codec: "b"}, {method: k.method, codec: "a", op: codec.OpUnmarshal},
			{method: k.method, codec: "a", server: true}} {
			for range 2 {
				if got := c.find(key).labels[0]; got != k.want {
					t.Errorf("%+v is counted as %s, want %s", key, got, k.want)
				}
			}
		}
	}
}
