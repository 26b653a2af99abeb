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

// Degrader chooses between two codecs for the calls of a client: the primary and, while the primary
// fails and is slow, the fallback. Package degrade has the rules. A Degrader handles only calls
// that ask for the primary.
//
// Only a client can choose, and only at the start of a call. If the primary fails, the call is
// repeated once in the fallback if that is safe: if the codec failed before anything was sent, if
// the server says that it could not read the request and has not run the handler, or if the
// response could not be read and the method is idempotent.
//
// The server must have the fallback. The client asks for the server's codecs with [CodecsHeader];
// [Gated], or [Gate] together with [Telemetry.Registrar], answer. Without an answer the client
// keeps the primary and reports that once to the logger and the observer of the [Telemetry]. With
// [WithFallbackServed] the client does not ask.
type Degrader struct {
	primary, fallback encoding.CodecV2
	options           map[bool]grpc.CallOption // set the content-subtype: true is the fallback's
	idempotent        func(method string) bool
	onEvent           func(degrade.Event)

	served  atomic.Int32 // whether the server has the fallback: a constant below
	askNext atomic.Int64 // when to ask the server next, in ticks
	unsaid  atomic.Bool  // it was reported that the server answers calls but not the question

	machine *degrade.Machine
	trips   atomic.Uint64 // how often the fallback was chosen
}

const (
	servedUnknown = iota
	servedYes
	servedNo
)

const askEvery = 10 * time.Second // the interval between questions while the server does not answer

// DegraderOption is an option of [NewDegrader].
type DegraderOption func(*Degrader)

// WithIdempotent says which methods may be called twice. If the response of such a method cannot be
// read, the method is called again in the fallback.
func WithIdempotent(is func(method string) bool) DegraderOption {
	return func(d *Degrader) { d.idempotent = is }
}

// WithFallbackServed says that all servers have the fallback, so that the client does not ask.
func WithFallbackServed() DegraderOption {
	return func(d *Degrader) { d.served.Store(servedYes) }
}

// NewDegrader returns a Degrader for one server, or for servers that are all alike. Both codecs
// must be able to carry the messages of all calls that ask for the primary.
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

// Name returns the names of the codecs as "primary-fallback".
func (d *Degrader) Name() string { return d.primary.Name() + "-" + d.fallback.Name() }

// Standing returns the state in words, the share of State, and how often the fallback was chosen.
// It is for metrics: a value of promx.Options.Degraders.
func (d *Degrader) Standing() (state string, share float64, trips uint64) {
	s, share := d.machine.State()
	return s.String(), share, d.trips.Load()
}

// State returns the present state, and the share of calls that begin with the primary.
func (d *Degrader) State() (degrade.State, float64) { return d.machine.State() }

// takes reports whether a call asks for the primary.
func (d *Degrader) takes(opts []grpc.CallOption) bool {
	c, subtype := callCodec(opts)
	return c != nil && (subtype == d.primary.Name() || subtype == "" && c.Name() == d.primary.Name())
}

// pick decides how a call begins. Before that, it lets the machine judge the calls so far if that
// is due.
func (d *Degrader) pick(ctx context.Context, m *method) degrade.Choice {
	if d.machine.Due() {
		d.machine.Look(m.context(ctx))
	}
	return d.machine.Pick(int(m.size.Load()), rand.Float64())
}

// learn records whether the server has the fallback.
func (d *Degrader) learn(ctx context.Context, m *method, served int32) {
	if d.served.Swap(served) != served {
		d.machine.Available(m.context(ctx), served == servedYes)
	}
}

// tell passes an event on to OnEvent and to the Telemetry of the call that caused the event.
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
			Worse: e.To == degrade.Fallback || e.From == e.To && e.To == degrade.Primary, // From and To both Primary: a refused change
		})
	}
}

// unary makes a unary call.
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
		return err // an error of the network or the handler says nothing about codecs
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

// again reports whether a call in which the primary has failed may be repeated.
func (d *Degrader) again(m *method, call *clientCall) bool {
	safe := call.err != nil && !call.sent || isUnreadable(call.trailer) || call.err != nil && d.idempotent(m.name)
	return safe && d.served.Load() == servedYes
}

// call prepares a call in the chosen codec.
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

// stream opens a stream. Each of its messages counts as a call.
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

// shadow lets the fallback do what the primary did for a call: marshal the request and unmarshal
// the response. It runs before the call returns, since the caller may change both messages later.
// So it delays the call, which is why it is done for at most 1% of the calls.
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

// answered evaluates the header of a call that has asked the server for its codecs. A server that
// answers the call but not the question is reported once.
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
