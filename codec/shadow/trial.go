package shadow

import (
	"bytes"
	"reflect"
	"runtime/debug"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/shadow/diff"
)

// trial is one operation to be tried on the candidate.
type trial struct {
	op    codec.Op
	typ   reflect.Type // of the value, without pointers; nil if it cannot be tried
	value any          // nil in a queued trial that has only the message
	msg   []byte       // the bytes that the incumbent wrote or read
	err   error        // the incumbent's
	took  time.Duration
}

func (t *trials) marshaled(v any, msg []byte, err error, took time.Duration) {
	t.submit(trial{codec.OpMarshal, pointee(v), v, msg, err, took}, err == nil)
}

func (t *trials) unmarshaled(msg []byte, v any, err error, fresh bool, took time.Duration) {
	tr := trial{codec.OpUnmarshal, pointee(v), v, msg, err, took}
	// If the incumbent refuses a message, a candidate of another format has nothing to read.
	if !fresh || err != nil && !t.same {
		tr.typ = nil
	}
	t.submit(tr, true)
}

// pointee returns the type of v without pointers. It returns nil for nil and for nil pointers,
// which have no value to compare.
func pointee(v any) reflect.Type {
	x := reflect.ValueOf(v)
	for x.Kind() == reflect.Pointer {
		x = x.Elem()
	}
	if !x.IsValid() {
		return nil
	}
	return x.Type()
}

// submit runs a trial or queues it. fromBytes says whether the message alone is enough to repeat
// the operation.
func (t *trials) submit(tr trial, fromBytes bool) {
	switch {
	case tr.typ == nil || len(tr.msg) > t.opt.MaxBytes:
		t.findings.skip(tr.op)
	case t.opt.Queue <= 0:
		t.run(tr)
	case t.opt.Immutable:
		t.enqueue(tr)
	case fromBytes:
		tr.value, tr.msg = nil, bytes.Clone(tr.msg)
		t.enqueue(tr)
	default:
		t.findings.skip(tr.op)
	}
}

func (t *trials) enqueue(tr trial) {
	if !t.queue.put(tr) {
		t.findings.drop(tr.op)
	}
}

// run tries the candidate and records the findings. A panic becomes a finding, and goes no further.
func (t *trials) run(tr trial) {
	o := outcome{op: tr.op, incumbent: cost{len(tr.msg), tr.took}, candidate: unused}
	err := guard(func() error {
		if tr.value == nil {
			tr.value = reflect.New(tr.typ).Interface()
			if err := t.reader.Unmarshal(tr.msg, tr.value); err != nil && tr.err == nil {
				o.skipped = true
				return nil
			}
		}
		if tr.op == codec.OpMarshal {
			t.tryMarshal(tr, &o)
		} else {
			t.tryUnmarshal(tr, &o)
		}
		return nil
	})
	if err != nil { // a panic of the comparison, or of the incumbent when it reads the candidate's bytes
		o.find(t.failure(tr.typ, Panic, "", "", err))
	}
	t.findings.record(&o)
	if t.opt.OnFinding != nil {
		_ = guard(func() error {
			for _, f := range o.found {
				t.opt.OnFinding(f)
			}
			return nil
		})
	}
}

// guard calls f and returns a panic as an error.
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &codec.PanicError{Value: r, Stack: debug.Stack()}
		}
	}()
	return f()
}

func (t *trials) tryMarshal(tr trial, o *outcome) {
	msg, err := t.candidateMarshal(tr.value, o)
	switch {
	case isPanic(err), (err == nil) != (tr.err == nil):
		o.find(t.disagreement(tr, err))
		return
	case err != nil: // both refuse
		return
	}
	if t.same && bytes.Equal(msg, tr.msg) {
		return
	}
	o.otherBytes = t.same
	got := reflect.New(tr.typ).Interface()
	if t.same {
		err = t.reader.Unmarshal(msg, got)
	} else {
		err = t.candidateUnmarshal(msg, got, o)
	}
	if err != nil {
		o.find(t.failure(tr.typ, Unreadable, "", "", err))
		return
	}
	t.compareMarshaled(tr, got, o)
}

// compareMarshaled compares got, which was read from the candidate's bytes, with the baseline.
func (t *trials) compareMarshaled(tr trial, got any, o *outcome) {
	roundTrip := func() any {
		v := reflect.New(tr.typ).Interface()
		if t.reader.Unmarshal(tr.msg, v) != nil {
			return nil
		}
		return v
	}
	if t.opt.Baseline == RoundTrip {
		if base := roundTrip(); base != nil {
			t.compare(base, got, o)
			return
		}
		o.skipped = true // the incumbent cannot read what it wrote
		return
	}
	t.compare(tr.value, got, o)
	if len(o.found) == 0 {
		return
	}
	base := roundTrip()
	if base == nil {
		return
	}
	// If the candidate's value differs from the original but not from the incumbent's own round
	// trip, the incumbent makes the same difference. Such a finding is shared.
	own := map[string]bool{}
	opt := t.opt.Compare
	opt.Hide, opt.Show = false, nil
	r := diff.Compare(base, got, opt)
	for _, d := range r.Differences {
		own[d.Pattern] = true
	}
	for i := range o.found {
		o.found[i].Shared = !r.Truncated && !own[o.found[i].Pattern]
	}
}

func (t *trials) tryUnmarshal(tr trial, o *outcome) {
	msg := tr.msg
	if !t.same {
		var err error
		if msg, err = t.candidateMarshal(tr.value, o); err != nil {
			o.find(t.disagreement(tr, err))
			return
		}
	}
	got := reflect.New(tr.typ).Interface()
	err := t.candidateUnmarshal(msg, got, o)
	switch {
	case isPanic(err), (err == nil) != (tr.err == nil):
		o.find(t.disagreement(tr, err))
	case err == nil:
		t.compare(tr.value, got, o)
	}
}

func (t *trials) candidateMarshal(v any, o *outcome) (msg []byte, err error) {
	start := time.Now()
	err = guard(func() (err error) {
		msg, err = t.candidate.Marshal(v)
		return err
	})
	o.candidate.add(len(msg), time.Since(start))
	return msg, err
}

func (t *trials) candidateUnmarshal(msg []byte, v any, o *outcome) error {
	read := func() error { return t.candidate.Unmarshal(msg, v) }
	if o.op == codec.OpMarshal { // reading back is not a part of marshal's cost
		return guard(read)
	}
	start := time.Now()
	err := guard(read)
	o.candidate.add(0, time.Since(start))
	o.candidate.bytes = len(msg)
	return err
}

func isPanic(err error) bool {
	_, ok := err.(*codec.PanicError)
	return ok
}

func (t *trials) compare(before, after any, o *outcome) {
	r := diff.Compare(before, after, t.opt.Compare)
	o.truncated = o.truncated || r.Truncated
	for _, d := range r.Differences {
		o.find(Finding{Difference: d})
	}
}

// disagreement returns the finding that only one of both codecs has failed, or that the candidate
// panicked.
func (t *trials) disagreement(tr trial, err error) Finding {
	kind := Error
	if isPanic(err) {
		kind = Panic
	}
	return t.failure(tr.typ, kind, t.reason(tr.err), t.reason(err), nil)
}

// failure returns a finding that concerns no field.
func (t *trials) failure(typ reflect.Type, kind diff.Kind, before, after string, err error) Finding {
	name := typ.Name()
	if name == "" {
		name = typ.String()
	}
	if err != nil {
		before, after = "no error", t.reason(err)
	}
	return Finding{Difference: diff.Difference{Path: name, Pattern: name, Kind: kind, Before: before, After: after}}
}

// reason returns an error as findings show it. The text of an error may quote the message, so only
// its class is shown unless values may be shown.
func (t *trials) reason(err error) string {
	switch {
	case err == nil:
		return "no error"
	case t.opt.Compare.Hide:
		return "error of class " + codec.ClassOf(err).String()
	}
	text := err.Error()
	if len(text) > maxReason {
		text = text[:maxReason] + "…"
	}
	if t.opt.Compare.Show != nil {
		text = t.opt.Compare.Show("error", text)
	}
	return text
}

// maxReason is the length, in bytes, to which the text of an error is cut in a finding.
const maxReason = 200
