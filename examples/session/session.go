// Package session is the subject "what a web service keeps of a logged-in user":
// twelve fields of mixed kinds, two times, a nested struct and a map of dynamic
// values; about 740 bytes of JSON.
package session

import (
	"math/rand/v2"
	"time"

	"github.com/zmylab/zmy/examples/internal/sample"
)

//go:generate fxjson -type=UserSession
//go:generate zmy gen -type UserSession

// UserSession is one logged-in session.
type UserSession struct {
	ID        uint64         `json:"id" zmy:"0"`
	UserID    string         `json:"user_id" zmy:"1"`
	Token     string         `json:"token" zmy:"2"`
	IP        string         `json:"ip" zmy:"3"`
	UserAgent string         `json:"user_agent" zmy:"4"`
	CreatedAt time.Time      `json:"created_at" zmy:"5"`
	ExpiresAt time.Time      `json:"expires_at" zmy:"6"`
	Roles     []string       `json:"roles" zmy:"7"`
	Scores    []int          `json:"scores" zmy:"8"`
	Attrs     map[string]any `json:"attrs" zmy:"9"`
	Active    bool           `json:"active" zmy:"10"`
	Profile   Profile        `json:"profile" zmy:"11"`
}

// Profile is what the user shows of themselves.
type Profile struct {
	Name    string  `json:"name" zmy:"0"`
	Email   string  `json:"email" zmy:"1"`
	Avatar  string  `json:"avatar" zmy:"2"`
	Age     int     `json:"age" zmy:"3"`
	Balance float64 `json:"balance" zmy:"4"`
}

var (
	roles   = []string{"viewer", "editor", "admin", "billing", "support", "auditor"}
	locales = []string{"en-US", "en-GB", "de-DE", "fr-FR", "es-ES", "pt-BR", "ja-JP", "zh-CN"}
	plans   = []string{"free", "team", "business", "enterprise"}
	themes  = []string{"light", "dark", "system"}
)

// SampleUserSession draws one session: 1–3 roles, up to 8 scores, 4–7 attributes
// among which are strings, ints, floats, bools, a list and a nested map.
func SampleUserSession(r *rand.Rand) UserSession {
	first, last := sample.Name(r)
	created := sample.Time(r)
	s := UserSession{
		ID:        r.Uint64() >> 1, // 63 bits, so that a signed key of a database can hold it
		UserID:    "usr_" + sample.Hex(r, 10),
		Token:     sample.Token(r, 32),
		IP:        sample.IP(r),
		UserAgent: sample.UserAgent(r),
		CreatedAt: created,
		ExpiresAt: created.Add(24 * time.Hour),
		Active:    sample.Chance(r, 0.85),
		Attrs:     sampleAttrs(r),
		Profile: Profile{
			Name:    first + " " + last,
			Email:   sample.Email(r, first, last),
			Avatar:  "https://cdn.example.com/avatars/" + sample.Hex(r, 16) + ".webp",
			Age:     18 + r.IntN(60),
			Balance: sample.Round(sample.LogNormal(r, 120, 1.2), 2),
		},
	}
	start := r.IntN(len(roles))
	for i := range 1 + r.IntN(3) {
		s.Roles = append(s.Roles, roles[(start+i)%len(roles)])
	}
	for range r.IntN(9) {
		s.Scores = append(s.Scores, r.IntN(1000))
	}
	return s
}

func sampleAttrs(r *rand.Rand) map[string]any {
	m := map[string]any{
		"locale":      sample.Pick(r, locales),
		"plan":        sample.Pick(r, plans),
		"login_count": 1 + r.IntN(500),
		"mfa":         sample.Chance(r, 0.4),
	}
	if sample.Chance(r, 0.6) {
		m["risk"] = sample.Round(r.Float64(), 3)
	}
	if sample.Chance(r, 0.5) {
		m["experiments"] = []any{"checkout-" + sample.Noun(r), "search-" + sample.Noun(r)}
	}
	if sample.Chance(r, 0.6) {
		m["ui"] = map[string]any{"theme": sample.Pick(r, themes), "font_size": 12 + r.IntN(7), "beta": sample.Chance(r, 0.2)}
	}
	return m
}
