package stores

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/experiment/stores/server"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// Place is a store that was measured.
type Place struct {
	Kind    string                   `json:"kind"`
	About   string                   `json:"about"`          // "PostgreSQL 15.14"
	Own     bool                     `json:"own,omitempty"`  // started for this run
	Lost    string                   `json:"lost,omitempty"` // why measuring stopped early, or ""
	Shelves map[string]*worker.Shelf `json:"shelves"`        // by codec

	url    string
	run    string         // random prefix of the names of tables and keys, so that they differ from those of other users
	server *server.Server // the server that this run started, or nil
}

// available returns an error if there is no store at all. It is called before the workers are
// built, because building takes long. It does not check whether a store that the user named
// answers; tryGiven does.
func (e *Experiment) available() error {
	var missing []string
	for _, kind := range e.Kinds {
		var err *server.Missing
		if e.URLs[kind] != "" || !errors.As(server.Installed(kind), &err) {
			return nil
		}
		missing = append(missing, absent(err))
	}
	return fmt.Errorf("there is no store to measure\n%s", strings.Join(missing, "\n"))
}

// absent says what to do about a store that is not installed.
func absent(err *server.Missing) string {
	return fmt.Sprintf("%s: %v; or name one that runs by -%[1]s %[3]s", err.Kind, err, kindOf(err.Kind).takes)
}

// measuring is a run of the experiment.
type measuring struct {
	e      *Experiment
	b      *experiment.Bench
	res    *Result
	begun  time.Time
	budget time.Duration
	broken map[string]bool // codecs left out at the store being measured
}

func (m *measuring) progress(format string, args ...any) {
	m.b.UI.Rounds(fmt.Sprintf(format, args...), time.Since(m.begun), m.budget)
}

// tryGiven asks the stores that the user named, before the run spends time on others. An address
// that does not work is the user's mistake, and no reason to leave out a store silently.
func (m *measuring) tryGiven(ctx context.Context) error {
	for _, kind := range m.e.Kinds {
		url := m.e.URLs[kind]
		if url == "" {
			continue
		}
		if _, err := m.ask(ctx, worker.CmdStoreTry, &worker.StoreAt{Kind: kind, URL: url, Name: "zmylab", Conns: 1}); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return &lab.UsageError{Text: fmt.Sprintf("-%s %s: %v", kind, redact(url), said(err, url))}
		}
	}
	return nil
}

// said returns the text of a worker's error, without the place where it happened. Clients may
// repeat their address in it, so said hides the password.
func said(err error, url string) error {
	text := err.Error()
	var refused *harness.Refused
	if errors.As(err, &refused) {
		text = refused.Failure.What
	}
	return errors.New(strings.ReplaceAll(text, url, redact(url)))
}

// ask starts a process of the first codec and has it carry out a command on a store.
func (m *measuring) ask(ctx context.Context, cmd string, at *worker.StoreAt) (*worker.Shelf, error) {
	return experiment.Once[worker.Shelf](ctx, m.b, m.b.Contenders[0].Worker, cmd, at, 0)
}

// stores measures one store after another. Only one of them runs at a time, since they would share
// this machine's processors. If a store fails, the others are measured nevertheless.
func (m *measuring) stores(ctx context.Context, x *run.Experiment) error {
	temp, err := harness.NewTemp("")
	if err != nil {
		return err
	}
	err = os.Chmod(temp.Dir, 0o711) // the account that runs the servers must be able to enter the folder
	for _, kind := range m.e.Kinds {
		p := &Place{Kind: kind, url: m.e.URLs[kind], run: "zmylab_" + strings.ToLower(rand.Text()[:10]), Shelves: map[string]*worker.Shelf{}}
		missing := (*server.Missing)(nil)
		kerr := m.store(ctx, p, temp.Dir)
		switch {
		case errors.As(kerr, &missing):
			x.Absent = append(x.Absent, absent(missing))
			m.b.UI.Note(absent(missing))
		case kerr != nil && ctx.Err() == nil:
			m.b.UI.Note(kerr.Error())
			err = errors.Join(err, kerr)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(err, ctx.Err(), temp.Close())
}

// store measures one store.
func (m *measuring) store(ctx context.Context, p *Place, dir string) (err error) {
	if p.url == "" {
		m.progress("starting %s", kindOf(p.Kind).title)
		if p.server, err = server.Start(ctx, p.Kind, dir); err != nil {
			return err
		}
		p.Own, p.url = true, p.server.URL
		defer func() { err = errors.Join(err, p.server.Close()) }()
	} else {
		defer func() { err = errors.Join(err, m.clean(ctx, p)) }()
	}
	m.broken = map[string]bool{}
	points := m.points(p.Kind)
	err = m.climb(ctx, p, points)
	for _, x := range points {
		if x.Visits > 0 {
			x.finish()
			m.res.Points = append(m.res.Points, x)
		}
	}
	if len(p.Shelves) > 0 {
		m.res.Places = append(m.res.Places, p)
	}
	if err != nil && ctx.Err() == nil {
		p.Lost, _, _ = strings.Cut(err.Error(), "\n")
		m.b.Warn("%s", p.Lost)
	}
	return err
}

// name returns the store's name, with its version if that is known.
func (p *Place) name() string { return cmp.Or(p.About, kindOf(p.Kind).title) }

// at returns where a codec's messages are stored.
func (m *measuring) at(p *Place, codec string) worker.StoreAt {
	i := slices.IndexFunc(m.b.Contenders, func(c *lab.Built) bool { return c.Name == codec })
	return worker.StoreAt{Kind: p.Kind, URL: p.url, Name: fmt.Sprintf("%s_%d", p.run, i), Conns: m.e.Conns, Keys: m.res.Keys}
}

// cleanTime is how long cleaning a store may take, also if the user has stopped the run.
const cleanTime = 30 * time.Second

// clean removes what this run has put into a store that keeps running.
func (m *measuring) clean(ctx context.Context, p *Place) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanTime)
	defer cancel()
	for _, a := range m.res.Alone {
		at := m.at(p, a.Codec)
		if _, err := m.ask(ctx, worker.CmdStoreDrop, &at); err != nil { // the others would fail in the same way
			return fmt.Errorf("%s: what begins with %s was not removed: %w", p.name(), at.Name, said(err, p.url))
		}
	}
	return nil
}
