package grpcx

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/zmylab/zmy/adapters/grpcx/degrade"
	"github.com/zmylab/zmy/codec"
)

// Degrader chooses between two codecs for the calls of a client: the primary, or a fallback while
// the primary fails and is slow. Package degrade has the rules. It is for calls that ask for the
// primary; others are left alone.
//
// Only a client can choose, and only where a call begins. A call is made again, once and in the
// fallback, where that is safe: the codec failed before anything was sent, the server says that it
// could not read the request and has not run the handler, or the response could not be read and the
// method is idempotent.
//
// The server must have the fallback. It is asked by way of [CodecsHeader], which [Gated] or [Gate]
// with [Telemetry.Registrar] answer; without an answer the primary is kept, of which logger and
// observer of the [Telemetry] are told once. [WithFallbackServed] spares the question.
type Degrader struct {
	primary, fallback encoding.CodecV2
	options           map[bool]grpc.CallOption // content-subtype, by whether it is the fallback's
	idempotent        func(method string) bool
	onEvent           func(degrade.Event)

	served  atomic.Int32 // what is known of the server
	askNext atomic.Int64 // when to ask it, in ticks
	unsaid  atomic.Bool  // it has answered a call and not the question, of which it was told

	machine *degrade.Machine
	trips   atomic.Uint64 // how often the primary was left
}

const (
	servedUnknown = iota
	servedYes
	servedNo
)

const askEvery = 10 * time.Second // while the server does not answer

// DegraderOption directs [NewDegrader].
type DegraderOption func(*Degrader)

// WithIdempotent names the methods that may be called twice: after a response that
// could not be read they are called again in the fallback.
func WithIdempotent(is func(method string) bool) DegraderOption {
	return func(d *Degrader) { d.idempotent = is }
}

// WithFallbackServed says that all servers have the fallback, so that they need not be asked.
func WithFallbackServed() DegraderOption {
	return func(d *Degrader) { d.served.Store(servedYes) }
}

// NewDegrader returns a Degrader for one server, or for servers that are all alike. Both
// codecs must carry the messages of the calls that are made in the primary.
func NewDegrader(primary, fallback encoding.CodecV2, c degrade.Config, opts ...DegraderOption) (*Degrader, error) {
	if primary.Name() == fallback.Name() {
		return nil, errors.New("grpcx: degrader: primary and fallback have the same content-subtype, " + primary.Name())
	}
	d := &Degrader{primary: primary, fallback: fallback, onEvent: c.OnEvent,
		idempotent: func(string) bool { return false },
		options: map[bool]grpc.CallOption{
			false: grpc.CallContentSubtype(primary.Name()),
			true:  grpc.CallContentSubtype(fallback.Name()),
		}}
	c.OnEvent = d.tell
	var err error
	if d.machine, err = degrade.New(c); err != nil {
		return nil, err
	}
	for _, o := range opts {
		o(d)
	}
	d.machine.Available(context.Background(), d.served.Load() == servedYes)
	return d, nil
}

// Name is "primary-fallback" by the names of the codecs.
func (d *Degrader) Name() string { return d.primary.Name() + "-" + d.fallback.Name() }

// Standing is State in words, and how often the primary was left, for metrics: the
// value of promx.Options.Degraders.
func (d *Degrader) Standing() (state string, share float64, trips uint64) {
	s, share := d.machine.State()
	return s.String(), share, d.trips.Load()
}

// State returns where it stands, and the share of calls that begin with the primary.
func (d *Degrader) State() (degrade.State, float64) { return d.machine.State() }

// takes reports whether a call asks for the primary.
func (d *Degrader) takes(opts []grpc.CallOption) bool {
	c, subtype := callCodec(opts)
	return c != nil && (subtype == d.primary.Name() || subtype == "" && c.Name() == d.primary.Name())
}

// pick says how a call is to begin, after the machine has looked at those before it, if that is
// due.
func (d *Degrader) pick(ctx context.Context, m *method) degrade.Choice {
	if d.machine.Due() {
		d.machine.Look(m.context(ctx))
	}
	return d.machine.Pick(int(m.size.Load()), rand.Float64())
}

// learn notes what is known of the server.
func (d *Degrader) learn(ctx context.Context, m *method, served int32) {
	if d.served.Swap(served) != served {
		d.machine.Available(m.context(ctx), served == servedYes)
	}
}

// tell tells of an event, on behalf of the call that has brought it about.
func (d *Degrader) tell(e degrade.Event) {
	if e.To == degrade.Fallback {
		d.trips.Add(1)
	}
	if d.onEvent != nil {
		d.onEvent(e)
	}
	if m, ok := e.Context().Value(methodKey{}).(*method); ok {
		m.t.changed(e.Context(), codec.Change{
			Time: e.Time, Chooser: d.Name(), From: e.From.String(), To: e.To.String(), Share: e.Share, Cause: e.Cause,
			Worse: e.To == degrade.Fallback || e.From == e.To && e.To == degrade.Primary, // the latter is a refusal to change
		})
	}
}

// unary makes a call.
func (d *Degrader) unary(ctx context.Context, m *method, req, reply any, cc *grpc.ClientConn,
	invoke grpc.UnaryInvoker, opts []grpc.CallOption) error {
	choice := d.pick(ctx, m)
	if d.asks() {
		var header metadata.MD
		ctx = metadata.AppendToOutgoingContext(ctx, CodecsHeader, "?")
		opts = append(slices.Clip(opts), grpc.Header(&header))
		defer func() { d.answered(ctx, m, header) }()
	}
	call := d.call(ctx, m, choice)
	defer call.free()
	err := invoke(ctx, m.name, req, reply, cc, call.options(opts)...)
	if call.size > 0 {
		m.size.Store(int64(call.size))
	}
	if status.Code(err) == codes.Unimplemented && choice.Fallback {
		d.learn(ctx, m, servedNo)
	}
	failed := call.err != nil || isCodecFailure(err, call.trailer)
	if err != nil && !failed {
		return err // of the network, or the handler: it says nothing about codecs
	}
	s := degrade.Sample{Choice: choice, Size: call.size, Took: call.took, Failed: failed}
	if s.Shadow = choice.Shadow && err == nil; s.Shadow {
		s.ShadowTook, s.ShadowFailed = d.shadow(req, reply)
	}
	d.machine.Record(s)
	if err == nil || choice.Fallback || !d.again(m, call) {
		return err
	}
	empty(reply)
	second := d.call(ctx, m, degrade.Choice{Fallback: true})
	defer second.free()
	return invoke(ctx, m.name, req, reply, cc, second.options(opts)...)
}

// again reports whether a call in which the primary has failed may be made again.
func (d *Degrader) again(m *method, call *clientCall) bool {
	safe := call.err != nil && !call.sent || isUnreadable(call.trailer) || call.err != nil && d.idempotent(m.name)
	return safe && d.served.Load() == servedYes
}

// call prepares a call in the codec chosen.
func (d *Degrader) call(ctx context.Context, m *method, c degrade.Choice) *clientCall {
	call := clientCalls.Get().(*clientCall)
	d.prepare(call, ctx, m, c)
	return call
}

func (d *Degrader) prepare(call *clientCall, ctx context.Context, m *method, c degrade.Choice) {
	codec := d.primary
	if c.Fallback {
		codec = d.fallback
	}
	call.set(ctx, m, codec, codec.Name())
	call.choice = d.options[c.Fallback]
}

// stream opens a stream, each message of which counts as a call.
func (d *Degrader) stream(ctx context.Context, m *method, desc *grpc.StreamDesc, cc *grpc.ClientConn,
	open grpc.Streamer, opts []grpc.CallOption) (grpc.ClientStream, error) {
	choice := d.pick(ctx, m)
	choice.Shadow = false
	call := newClientCall()
	d.prepare(call, ctx, m, choice)
	call.told = func(took time.Duration, size int, err error) {
		m.size.Store(int64(size))
		d.machine.Record(degrade.Sample{Choice: choice, Size: size, Took: took, Failed: err != nil})
	}
	return open(ctx, desc, cc, m.name, call.options(opts)...)
}

// shadow lets the fallback do what the primary has done for a call: marshal the
// request, unmarshal the response. It delays the call by that, on the 1% of them on which it is
// done: later the caller may have changed both.
func (d *Degrader) shadow(req, reply any) (took time.Duration, failed bool) {
	start := ticks()
	out, err := d.fallback.Marshal(req)
	took = ticks() - start
	if err != nil {
		return took, true
	}
	out.Free()
	if out, err = d.fallback.Marshal(reply); err != nil {
		return took, true
	}
	defer out.Free()
	target := reflect.New(reflect.TypeOf(reply).Elem()).Interface()
	start = ticks()
	err = d.fallback.Unmarshal(out, target)
	return took + ticks() - start, err != nil
}

// asks reports whether this call is to ask the server for its codecs.
func (d *Degrader) asks() bool {
	if d.served.Load() != servedUnknown {
		return false
	}
	now, next := int64(ticks()), d.askNext.Load()
	return now >= next && d.askNext.CompareAndSwap(next, now+int64(askEvery))
}

func (d *Degrader) answered(ctx context.Context, m *method, header metadata.MD) {
	list := strings.Join(header.Get(CodecsHeader), ",")
	switch {
	case list == "" && len(header) > 0 && d.unsaid.CompareAndSwap(false, true):
		m.t.changed(ctx, codec.Change{Time: time.Now(), Chooser: d.Name(), From: degrade.Primary.String(),
			To: degrade.Primary.String(), Share: 1, Worse: true,
			Cause: "the server does not say which codecs it has, so that the primary will be kept: give it grpcx.Gated, or this " +
				"degrader WithFallbackServed"})
	case list == "":
	case slices.Contains(strings.Split(list, ","), d.fallback.Name()):
		d.learn(ctx, m, servedYes)
	default:
		d.learn(ctx, m, servedNo)
	}
}
