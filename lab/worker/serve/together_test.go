package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"runtime"
	"strconv"
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
		"a shared buffer": {coder(marshal, nil), "is encoded as another value"},
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
		"other bytes of the same meaning, from the 105th call on": {coder(func() func(v *whole) ([]byte, error) {
			var calls atomic.Int32
			return func(v *whole) ([]byte, error) {
				b, err := json.Marshal(v)
				if n := calls.Add(1); n > 104 && n%2 == 0 { // by chance the calls before, as with the order of a small map, give the same
					b = append(b, ' ')
				}
				return b, err
			}
		}(), nil), ""},
		"spoilt for good": {coder(func() func(v *whole) ([]byte, error) {
			var busy, spoilt atomic.Int32
			return func(v *whole) ([]byte, error) {
				defer busy.Add(-1)
				if busy.Add(1) > 1 {
					spoilt.Store(1)
				}
				if spoilt.Load() > 0 {
					return nil, errors.New("spoilt")
				}
				for range 8 {
					runtime.Gosched()
				}
				return json.Marshal(v)
			}
		}(), nil), "spoilt"},
	} {
		t.Run(name, func(t *testing.T) {
			got := verdict(worker.CheckTogether, wholeBench(t, c.codec).checkTogether())
			if (got.Result == "bad") != (c.holds != "") || !strings.Contains(got.Detail, c.holds) {
				t.Errorf("%+v, want %q", got, c.holds)
			}
		})
	}
}

// TestTogetherOnce: what does not show again is no fault.
func TestTogetherOnce(t *testing.T) {
	var calls atomic.Int32
	once := coder(func(v *whole) ([]byte, error) {
		if calls.Add(1) == 400 { // one goroutine alone makes 256 calls before
			return []byte(`{}`), nil
		}
		return json.Marshal(v)
	}, nil)
	b := wholeBench(t, once)
	got := verdict(worker.CheckTogether, b.checkTogether())
	if got.Result == "bad" || !strings.Contains(got.Detail, "once, and not again") {
		t.Errorf("%+v after %d calls", got, calls.Load())
	}
}

// amount is a type that keeps its text when it is marshaled. Two goroutines that marshal the same
// amount disturb each other; busy shows that without a race.
type amount struct {
	Cents int64
	text  string
	busy  int32
}

func (a *amount) MarshalJSON() ([]byte, error) {
	if !atomic.CompareAndSwapInt32(&a.busy, 0, 1) {
		return nil, errors.New("busy")
	}
	defer atomic.StoreInt32(&a.busy, 0)
	for range 8 {
		runtime.Gosched()
	}
	if a.text == "" {
		a.text = strconv.FormatInt(a.Cents, 10)
	}
	return []byte(a.text), nil
}

func (a *amount) UnmarshalJSON(b []byte) error {
	a.text = ""
	return json.Unmarshal(b, &a.Cents)
}

type invoice struct {
	ID    string
	Total amount
}

// TestTogetherCaches: a codec is not blamed for a type that keeps something when it is marshaled.
func TestTogetherCaches(t *testing.T) {
	b := newBinding(worker.Subject[invoice]{Name: "worker.invoice"}, worker.Contender[invoice]{Name: "x", Family: "json",
		Encoders: []worker.Encoder[invoice]{worker.Marshal[invoice]("fresh", json.Marshal)},
		Decoders: worker.Unmarshal[invoice](func(b []byte, v any) error { return json.Unmarshal(b, v) })}, nil)
	if _, err := b.values(&worker.Request{Seed: 1, N: 40}); err != nil {
		t.Fatal(err)
	}
	if got := verdict(worker.CheckTogether, b.checkTogether()); got.Result != "ok" {
		t.Errorf("%+v", got)
	}
}
