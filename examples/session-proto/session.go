// Package sessionproto is the subject of the first measurements of fxjson: a session of twelve
// fields, which are not those of package session. It is kept so that those measurements can be
// repeated; about 690 bytes of JSON.
package sessionproto

import (
	"math/rand/v2"
	"time"

	"github.com/zmylab/zmy/examples/internal/sample"
)

//go:generate fxjson -type=UserSession
//go:generate zmy gen -type UserSession

// UserSession is one logged-in session.
type UserSession struct {
	ID          uint64         `json:"id" zmy:"0"`
	SessionID   string         `json:"session_id" zmy:"1"`
	UserName    string         `json:"user_name" zmy:"2"`
	IPAddress   string         `json:"ip_address" zmy:"3"`
	UserAgent   string         `json:"user_agent" zmy:"4"`
	Active      bool           `json:"active" zmy:"5"`
	LoginCount  int            `json:"login_count" zmy:"6"`
	Balance     float64        `json:"balance" zmy:"7"`
	CreatedAt   time.Time      `json:"created_at" zmy:"8"`
	Permissions []int          `json:"permissions" zmy:"9"`
	Profile     Profile        `json:"profile" zmy:"10"`
	Metadata    map[string]any `json:"metadata" zmy:"11"`
}

// Profile is what the user shows of themselves.
type Profile struct {
	FirstName string  `json:"first_name" zmy:"0"`
	LastName  string  `json:"last_name" zmy:"1"`
	Age       int     `json:"age" zmy:"2"`
	Email     string  `json:"email" zmy:"3"`
	Bio       string  `json:"bio,omitempty" zmy:"4"`
	Verified  bool    `json:"verified" zmy:"5"`
	Score     float64 `json:"score" zmy:"6"`
}

// SampleUserSession draws one session: up to 8 permissions, a short biography in
// two of three, and metadata of strings, a float, a bool and a nested map.
func SampleUserSession(r *rand.Rand) UserSession {
	first, last := sample.Name(r)
	created := sample.Time(r)
	s := UserSession{
		ID:         r.Uint64() >> 1,
		SessionID:  sample.UUID(r, created),
		UserName:   sample.UserName(first, last),
		IPAddress:  sample.IP(r),
		UserAgent:  sample.UserAgent(r),
		Active:     sample.Chance(r, 0.85),
		LoginCount: 1 + r.IntN(500),
		Balance:    sample.Round(sample.LogNormal(r, 120, 1.2), 2),
		CreatedAt:  created,
		Profile: Profile{
			FirstName: first,
			LastName:  last,
			Age:       18 + r.IntN(60),
			Email:     sample.Email(r, first, last),
			Verified:  sample.Chance(r, 0.7),
			Score:     sample.Round(100*r.Float64(), 2),
		},
		Metadata: map[string]any{
			"device":   sample.Pick(r, []string{"desktop", "phone", "tablet"}),
			"locale":   sample.Pick(r, []string{"en-US", "de-DE", "fr-FR", "ja-JP"}),
			"risk":     sample.Round(r.Float64(), 3),
			"mfa":      sample.Chance(r, 0.4),
			"referrer": "https://www.example.com/" + sample.Noun(r),
			"flags":    map[string]any{"beta": sample.Chance(r, 0.2), "cohort": "c" + sample.Hex(r, 2)},
		},
	}
	for range r.IntN(9) {
		s.Permissions = append(s.Permissions, 100+r.IntN(900))
	}
	if sample.Chance(r, 0.66) {
		s.Profile.Bio = sample.Text(r, 3+r.IntN(8))
	}
	return s
}
