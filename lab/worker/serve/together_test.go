package serve

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/zmylab/zmy/lab/worker"
)

// TestTogether: memory that goroutines share is found, and a lock or a pool around it is no fault.
// The shared memory is atomic, so that nothing races here.
func TestTogether(t *testing.T) {
	var mu sync.Mutex
	var slot atomic.Pointer[[]byte]
	var target atomic.Pointer[whole]
	marshal := func(v *whole) ([]byte, error) {
		b, err := json.Marshal(v)
		slot.Store(&b)
		for range 8 {
			runtime.Gosched()
		}
		return bytes.Clone(*slot.Load()), err
	}
	for name, c := range map[string]struct {
		codec worker.Contender[whole]
		holds string
	}{
		"plain":           {coder(nil, nil), ""},
		"a shared buffer": {coder(marshal, nil), "is encoded as other bytes"},
		"a buffer behind a lock": {coder(func(v *whole) ([]byte, error) {
			mu.Lock()
			defer mu.Unlock()
			return marshal(v)
		}, nil), ""},
		"a shared target": {coder(nil, func(b []byte, v *whole) error {
			w := new(whole)
			err := json.Unmarshal(b, w)
			target.Store(w)
			for range 8 {
				runtime.Gosched()
			}
			*v = *target.Load()
			return err
		}), "is decoded as another value"},
		"panics beside another": {coder(func() func(v *whole) ([]byte, error) {
			var busy atomic.Int32
			return func(v *whole) ([]byte, error) {
				defer busy.Add(-1)
				if busy.Add(1) > 1 {
					panic("busy")
				}
				for range 8 {
					runtime.Gosched()
				}
				return json.Marshal(v)
			}
		}(), nil), "panic: busy"},
	} {
		t.Run(name, func(t *testing.T) {
			got := verdict(worker.CheckTogether, wholeBench(t, c.codec).checkTogether())
			if (got.Result == "bad") != (c.holds != "") || !strings.Contains(got.Detail, c.holds) {
				t.Errorf("%+v, want %q", got, c.holds)
			}
		})
	}
}
