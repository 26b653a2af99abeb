package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/zmylab/zmy/cmd/zmy/feed"
	"github.com/zmylab/zmy/sse"
)

// FlushPolicy is a policy by which the service sends events.
type FlushPolicy struct {
	Name, Means string
	policy      sse.FlushPolicy
}

// FlushPolicies are all policies. The first one is the hub's default.
var FlushPolicies = []FlushPolicy{
	{"drain", "what waits is sent at once, together", sse.FlushPolicy{}},
	{"each", "every event is sent by itself", sse.FlushEach()},
	{"batch", "events are held back for 20 ms or 16 KiB", sse.FlushBatch(20*time.Millisecond, 16<<10)},
	{"4k", "events are held back for 100 ms or 4 KiB", sse.Flush4KB()},
}

// FindFlush returns the policy of that name, and the first one for "".
func FindFlush(name string) (FlushPolicy, error) {
	if name == "" {
		return FlushPolicies[0], nil
	}
	for _, p := range FlushPolicies {
		if p.Name == name {
			return p, nil
		}
	}
	return FlushPolicy{}, fmt.Errorf("there is no flush policy %q: choose one of %s", name, strings.Join(FlushNames(), ", "))
}

// FlushNames returns the names of all policies.
func FlushNames() []string {
	var names []string
	for _, p := range FlushPolicies {
		names = append(names, p.Name)
	}
	return names
}

// load serves the requests of zmy load sse, for clients on this machine only.
func (s *Service) load(mux *http.ServeMux) {
	local := func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !fromHere(r) {
				http.Error(w, "loads come from this machine", http.StatusForbidden)
				return
			}
			h.ServeHTTP(w, r)
		})
	}
	own := http.NewCrossOriginProtection() // a page of another site could make a browser on this machine send a POST
	mux.Handle("GET "+feed.EventsPath, local(s.hub.Handler(func(r *http.Request) ([]string, error) {
		run := r.URL.Query().Get("run")
		return []string{feed.Topic(run)}, feed.CheckRun(run)
	})))
	mux.Handle("POST "+feed.EventsPath, local(own.Handler(http.HandlerFunc(s.publishLoad))))
	mux.Handle("GET "+feed.StatePath, local(http.HandlerFunc(s.loadState)))
	mux.Handle("POST "+feed.StatePath, local(own.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		debug.FreeOSMemory() // this collects garbage first
		s.loadState(w, r)
	}))))
}

// publishLoad publishes the requested events, and answers when all are published. It stops if the
// client disconnects.
func (s *Service) publishLoad(w http.ResponseWriter, r *http.Request) {
	var in feed.Request
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&in)
	if err == nil {
		err = in.Check()
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	report, err := feed.Publish(r.Context(), s.hub, &in)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	answer(w, report)
}

func (s *Service) loadState(w http.ResponseWriter, _ *http.Request) {
	answer(w, feed.State{Flush: s.flush.Name, Codecs: feed.Names(), Stats: s.hub.Stats()})
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // it fails only if the client has disconnected
}
