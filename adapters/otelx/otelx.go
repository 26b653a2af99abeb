// Package otelx makes spans of what codecs do: fxjson:encode, zmy:decode. It needs
// the API of OpenTelemetry only; a program without an SDK pays for a comparison.
//
//	registry.Observe(otelx.New(otelx.Options{Share: otelx.Production}))
//
// Spans are children of the request's where codecs are used by
// codec.WithContext(ctx, c), as package nano does.
package otelx

import (
	"cmp"
	"context"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/zmylab/zmy/codec"
)

// Shares of operations that get a span.
const (
	Production  = 0.01
	Development = 1
)

// ScopeName is that of the tracer.
const ScopeName = "github.com/zmylab/zmy/adapters/otelx"

// Attributes of spans, beside those of the semantic conventions: error.type, which is
// the class of the error, and what [Options.Method] adds.
const (
	KeyCodec   = attribute.Key("zmy.codec")         // its name
	KeyVersion = attribute.Key("zmy.codec.version") // of its module, if known
	KeyOp      = attribute.Key("zmy.op")            // marshal | unmarshal | encode | decode
	KeyType    = attribute.Key("zmy.type")          // the Go type
	KeySize    = attribute.Key("zmy.size")          // bytes of the message
	KeySlow    = attribute.Key("zmy.slow")          // true from Options.Slow on
	KeyStack   = attribute.Key("code.stacktrace")   // of the caller, see Options.Frames
	keyError   = attribute.Key("error.type")
	keySystem  = attribute.Key("rpc.system")
	keyService = attribute.Key("rpc.service")
	keyMethod  = attribute.Key("rpc.method")
)

// Attributes of the event "codec changed" on the span of a request on whose behalf something has
// chosen another codec, see codec.Change.
const (
	KeyChooser = attribute.Key("zmy.chooser")
	KeyFrom    = attribute.Key("zmy.from")
	KeyTo      = attribute.Key("zmy.to")
	KeyShare   = attribute.Key("zmy.share")
	KeyCause   = attribute.Key("zmy.cause")
)

// Options of an observer.
type Options struct {
	// Share of operations that get a span, drawn for each one: Production,
	// Development or what lies between; 0 means Production, below 0 none.
	//
	// Decisions made above come first. Within a span that is not sampled no span is
	// made; whether one without parent is kept is up to the provider's sampler too.
	Share float64
	// ShareInTraces is the share within a sampled parent span; 0 means 1, so that
	// traces are whole, below 0 means none.
	ShareInTraces float64

	// Slow marks spans from this duration on; 0 means codec.SlowMark, below 0 none. Operations
	// that are slow, or fail, get a span even if they were not drawn, unless
	// DrawnOnly is set.
	Slow      time.Duration
	DrawnOnly bool

	// MaxDepth lets only operations called from at most so many stack frames get a span: those of
	// deep recursion, which would flood a trace, get none. 0 means no limit. Frames of wrappers of
	// codecs do not count. Looking takes some 20 ns a frame and 2 µs, for drawn operations only.
	MaxDepth int
	// Frames is how many frames of the caller's stack are kept in code.stacktrace, from the
	// one that has called the outermost wrapper of the codec.
	Frames int

	// ErrorTexts records texts of errors, which may quote the message. The class is
	// recorded always.
	ErrorTexts bool

	// Kind of the spans; 0 means trace.SpanKindInternal.
	Kind trace.SpanKind

	// Method finds the gRPC method on whose behalf a codec works: grpcx.Method. Spans then have
	// rpc.system, rpc.service and rpc.method of the semantic conventions.
	Method func(context.Context) (name string, server, ok bool)

	// Versions by name of the codec. For those of this project and of the standard
	// library they are known.
	Versions map[string]string

	// TracerProvider is where spans go; nil means that of otel.GetTracerProvider.
	TracerProvider trace.TracerProvider
}

// New returns the observer.
func New(o Options) codec.Observer {
	o.Share = cmp.Or(o.Share, Production)
	o.ShareInTraces = cmp.Or(o.ShareInTraces, 1)
	o.Slow = cmp.Or(o.Slow, codec.SlowMark)
	if o.Slow < 0 {
		o.Slow = 1<<63 - 1
	}
	o.Kind = cmp.Or(o.Kind, trace.SpanKindInternal)
	p := o.TracerProvider
	if p == nil {
		p = otel.GetTracerProvider()
	}
	known := versions()
	for name, v := range o.Versions {
		known[name] = v
	}
	return &observer{opt: o, tracer: p.Tracer(ScopeName), versions: known}
}

var _ codec.ChangeObserver = (*observer)(nil)

type observer struct {
	opt      Options
	tracer   trace.Tracer
	versions map[string]string
	kinds    sync.Map // key → *kind
}

type key struct {
	codec string
	op    codec.Op
}

// kind is what all spans of one codec and operation share, made once.
type kind struct {
	name  string
	attrs []attribute.KeyValue
	start []trace.SpanStartOption
}

func (o *observer) kind(k key) *kind {
	if found, ok := o.kinds.Load(k); ok {
		return found.(*kind)
	}
	x := &kind{name: k.codec + ":" + verb(k.op), attrs: []attribute.KeyValue{KeyCodec.String(k.codec), KeyOp.String(k.op.String())}}
	if v, ok := o.versions[k.codec]; ok {
		x.attrs = append(x.attrs, KeyVersion.String(v))
	}
	x.start = []trace.SpanStartOption{trace.WithSpanKind(o.opt.Kind), trace.WithAttributes(x.attrs...)}
	o.kinds.Store(k, x)
	return x
}

// verb is the operation in the name of a span, alike for messages and streams.
func verb(op codec.Op) string {
	switch op {
	case codec.OpMarshal, codec.OpEncode:
		return "encode"
	}
	return "decode"
}

// own finds, in the context of an operation, the span that an observer has begun
// for it.
type own struct{ o *observer }

// Begin begins a span if the operation is drawn.
func (o *observer) Begin(ctx context.Context, e codec.Event) context.Context {
	if !o.drawn(ctx) || o.opt.MaxDepth > 0 && deeper(o.opt.MaxDepth) {
		if ctx.Value(own{o}) != nil { // that of an operation which this one is within
			return context.WithValue(ctx, own{o}, nil)
		}
		return ctx
	}
	k := o.kind(key{e.Codec, e.Op})
	ctx, span := o.tracer.Start(ctx, k.name, k.start...)
	if span.IsRecording() && o.opt.Frames > 0 {
		span.SetAttributes(KeyStack.String(stack(o.opt.Frames)))
	}
	return context.WithValue(ctx, own{o}, span)
}

// drawn decides by the parent first.
func (o *observer) drawn(ctx context.Context) bool {
	share := o.opt.Share
	if parent := trace.SpanContextFromContext(ctx); parent.IsValid() {
		if !parent.IsSampled() {
			return false
		}
		share = o.opt.ShareInTraces
	}
	return share >= 1 || share > 0 && rand.Float64() < share
}

// End ends the span, or makes one of an operation that should not pass unseen.
func (o *observer) End(ctx context.Context, e codec.Event) {
	span, begun := ctx.Value(own{o}).(trace.Span)
	failed := e.Err != nil && e.Class() != codec.ClassNone
	slow := e.Duration >= o.opt.Slow
	if !begun {
		if o.opt.DrawnOnly || !failed && !slow || o.dropped(ctx) {
			return
		}
		k := o.kind(key{e.Codec, e.Op})
		start := append(k.start[:len(k.start):len(k.start)], trace.WithTimestamp(time.Now().Add(-e.Duration)))
		_, span = o.tracer.Start(ctx, k.name, start...)
	}
	defer span.End()
	if !span.IsRecording() {
		return
	}
	attrs := make([]attribute.KeyValue, 0, 8)
	if o.opt.Method != nil {
		if name, _, ok := o.opt.Method(ctx); ok {
			service, method, _ := strings.Cut(strings.TrimPrefix(name, "/"), "/")
			attrs = append(attrs, keySystem.String("grpc"), keyService.String(service), keyMethod.String(method))
		}
	}
	attrs = append(attrs, KeySize.Int(e.Size))
	if t := e.Type(); t != nil {
		attrs = append(attrs, KeyType.String(t.String()))
	}
	if slow {
		attrs = append(attrs, KeySlow.Bool(true))
	}
	if failed {
		class := e.Class().String()
		attrs = append(attrs, keyError.String(class))
		span.SetStatus(codes.Error, class)
		if o.opt.ErrorTexts {
			span.RecordError(e.Err)
		}
	}
	span.SetAttributes(attrs...)
}

// Changed adds an event to the span that is at work in ctx, the request's for instance, if it is
// recorded.
func (o *observer) Changed(ctx context.Context, c codec.Change) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	span.AddEvent("codec changed", trace.WithTimestamp(c.Time), trace.WithAttributes(
		KeyChooser.String(c.Chooser), KeyFrom.String(c.From), KeyTo.String(c.To), KeyShare.Float64(c.Share), KeyCause.String(c.Cause)))
}

// dropped reports a trace that was decided against.
func (o *observer) dropped(ctx context.Context) bool {
	parent := trace.SpanContextFromContext(ctx)
	return parent.IsValid() && !parent.IsSampled()
}
