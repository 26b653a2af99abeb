package serve

import (
	"context"
	"math/rand/v2"
	"net/http"
	"sync"

	"github.com/zmylab/zmy/examples/session"
	"github.com/zmylab/zmy/nano"
)

const (
	firstSessions = 10
	mostSessions  = 1000
)

// sessions is a store of sessions in memory. The key is the name in the request's path.
type sessions struct {
	mu sync.RWMutex
	m  map[string]*session.UserSession // sessions are never changed after they are stored
}

func newSessions() *sessions { return &sessions{m: map[string]*session.UserSession{}} }

// fill creates the session demo, and sessions of nine users.
func (s *sessions) fill(r *rand.Rand) {
	for i := range firstSessions {
		v := session.SampleUserSession(r)
		name := v.UserID
		if i == 0 {
			name = "demo"
		}
		s.m[name] = &v
	}
}

func (s *Service) getSession(_ context.Context, in byID) (*session.UserSession, error) {
	s.session.mu.RLock()
	defer s.session.mu.RUnlock()
	v := s.session.m[in.id]
	if v == nil {
		return nil, nano.Problemf(http.StatusNotFound, "there is no session %q; try /sessions/demo", in.id)
	}
	return v, nil
}

func (s *Service) putSession(ctx context.Context, in session.UserSession) (*session.UserSession, error) {
	name := nano.FromContext(ctx).Request().PathValue("id")
	s.session.mu.Lock()
	defer s.session.mu.Unlock()
	if s.session.m[name] == nil && len(s.session.m) >= mostSessions {
		return nil, nano.Problemf(http.StatusInsufficientStorage, "this demo keeps %d sessions", mostSessions)
	}
	s.session.m[name] = &in
	return &in, nil
}
