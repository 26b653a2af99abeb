// Package statepage shows canaries and shadows on one page, and lets authorized users control
// canaries. The page needs no script and loads nothing. ?format=json returns the same as JSON.
package statepage

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/zmylab/zmy/codec/canary"
	"github.com/zmylab/zmy/codec/shadow"
)

// Options of a page.
type Options struct {
	Title    string // "Codecs" if empty
	Canaries []*canary.Canary
	Shadows  []*shadow.Codec

	// Allow reports whether the sender of a request may control canaries: start, pause, roll back,
	// promote. If it is nil, nobody may. Changes are made by POST, from the page's own origin only.
	Allow func(*http.Request) bool
}

// New returns the handler of a page. The page shows names of types and fields, and contents of
// values only if Options.ShowValues of a shadow is set. Serve it where you serve metrics, not to
// the public.
func New(o Options) http.Handler {
	o.Title = cmp.Or(o.Title, "Codecs")
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", o.get)
	mux.HandleFunc("POST /", o.post)
	return new(http.CrossOriginProtection).Handler(mux)
}

// state is everything that a page shows.
type state struct {
	Canaries []canary.State  `json:"canaries"`
	Shadows  []shadow.Report `json:"shadows"`
}

func (o *Options) state() state {
	s := state{[]canary.State{}, []shadow.Report{}}
	for _, c := range o.Canaries {
		s.Canaries = append(s.Canaries, c.State())
	}
	for _, x := range o.Shadows {
		s.Shadows = append(s.Shadows, x.Report())
	}
	return s
}

func (o *Options) allowed(r *http.Request) bool { return o.Allow != nil && o.Allow(r) }

func (o *Options) get(w http.ResponseWriter, r *http.Request) { o.show(w, r, http.StatusOK, "") }

// show answers with the page. problem says why an action has failed, if it has.
func (o *Options) show(w http.ResponseWriter, r *http.Request, status int, problem string) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	var body bytes.Buffer // rendered before it is sent, so that status 200 never comes with half a page
	var err error
	if r.URL.Query().Get("format") == "json" {
		h.Set("Content-Type", "application/json")
		e := json.NewEncoder(&body)
		e.SetIndent("", "  ")
		err = e.Encode(o.state())
	} else {
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", policy)
		h.Set("Referrer-Policy", "no-referrer")
		err = page.Execute(&body, view{o.Title, style, o.allowed(r), problem, time.Now(), o.state()})
	}
	if err != nil {
		http.Error(w, "statepage: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // an error means that the reader has gone
}

// maxForm limits the body of a POST, in bytes.
const maxForm = 4 << 10

func (o *Options) post(w http.ResponseWriter, r *http.Request) {
	if !o.allowed(r) {
		http.Error(w, "statepage: you may not steer canaries here", http.StatusForbidden)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "statepage: "+err.Error(), http.StatusBadRequest)
		return
	}
	name := r.PostForm.Get("canary")
	for _, c := range o.Canaries {
		if c.Name() != name {
			continue
		}
		if err := steer(c, r.PostForm.Get("action"), r.PostForm.Get("share"), r.PostForm.Get("reason")); err != nil {
			status := http.StatusConflict
			if errors.Is(err, errForm) {
				status = http.StatusBadRequest
			}
			o.show(w, r, status, err.Error())
			return
		}
		w.Header().Set("Location", "?") // this page, wherever it is mounted (RFC 9110, section 10.2.2)
		w.WriteHeader(http.StatusSeeOther)
		return
	}
	http.Error(w, fmt.Sprintf("statepage: no canary %q", name), http.StatusNotFound)
}

// maxReason is the length, in bytes, to which a reason is cut.
const maxReason = 200

var errForm = errors.New("nothing was changed")

// actions are the buttons of the page without an input of their own.
var actions = map[string]func(c *canary.Canary, reason string) error{
	"start":    (*canary.Canary).Start,
	"advance":  (*canary.Canary).Advance,
	"pause":    (*canary.Canary).Pause,
	"resume":   (*canary.Canary).Resume,
	"rollback": (*canary.Canary).RollBack,
	"promote":  (*canary.Canary).Promote,
}

func steer(c *canary.Canary, action, share, reason string) error {
	reason = cmp.Or(strings.ToValidUTF8(reason[:min(len(reason), maxReason)], ""), "by hand, on the state page")
	if do, ok := actions[action]; ok {
		return do(c, reason)
	}
	if action == "share" {
		percent, err := strconv.ParseFloat(share, 64)
		if err != nil {
			return fmt.Errorf("%w: the share is %.20q, want a number of percent", errForm, share)
		}
		return c.SetShare(percent/100, reason)
	}
	return fmt.Errorf("%w: no action %.20q, want start, advance, pause, resume, share, rollback or promote", errForm, action)
}

// view is the input of the template.
type view struct {
	Title   string
	Style   template.CSS
	Allowed bool
	Problem string // why nothing was done
	Now     time.Time
	state
}

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	styleText string

	style  = template.CSS(styleText)
	page   = template.Must(template.New("page").Funcs(functions).Parse(pageText))
	policy = "default-src 'none'; style-src '" + hash(styleText) + "'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

// hash returns the hash of a text in the form of Content-Security-Policy (CSP3, section 2.3.1).
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// functions are the functions of the template. Tests find errors in the template.
var functions = template.FuncMap{
	"percent": func(share float64) string { // shares are whole buckets, so two decimals are exact
		return strconv.FormatFloat(math.Round(share*canary.Buckets)/(canary.Buckets/100), 'f', -1, 64) + "%"
	},
	"rate":  func(s canary.Signals) string { return fmt.Sprintf("%.2f%%", 100*s.ErrorRate()) },
	"time":  func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") },
	"ago":   func(t, now time.Time) string { return now.Sub(t).Round(time.Second).String() },
	"short": func(d time.Duration) string { return round(d).String() },
	"bytes": func(b float64) string { return strconv.FormatFloat(b, 'f', 0, 64) },
	"mean":  mean,
	"trials": func(r shadow.Report) []namedOperation {
		return []namedOperation{{"marshal", r.Marshal}, {"unmarshal", r.Unmarshal}}
	},
	"width": func(share float64) string { return strconv.FormatFloat(100*share, 'f', 2, 64) },
	"arms": func(a canary.Arms) []namedSignals {
		var out []namedSignals
		for _, s := range a.Incumbent {
			out = append(out, namedSignals{"incumbent", s})
		}
		for _, s := range a.Candidate {
			out = append(out, namedSignals{"candidate", s})
		}
		return out
	},
}

type namedSignals struct {
	Arm string
	canary.Signals
}

type namedOperation struct {
	Name string
	shadow.Operation
}

// round rounds a duration to three digits.
func round(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit)
}

// mean returns the mean cost of the operations that were measured.
func mean(c shadow.Cost, o namedOperation) string {
	n := o.Measured
	if n == 0 {
		return "–"
	}
	return fmt.Sprintf("%v, %d B", round(c.Duration/time.Duration(n)), c.Bytes/n)
}
