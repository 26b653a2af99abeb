// Package otelx makes OpenTelemetry spans of codec operations, such as fxjson:encode and
// zmy:decode. It needs the API of OpenTelemetry only. In a program without an SDK an operation
// costs one comparison more.
//
//	registry.Observe(otelx.New(otelx.Options{Share: otelx.Production}))
//
// Spans are children of the request's span if codecs are used through codec.WithContext(ctx, c), as
// package nano does.
package otelx

import (
	"cmp"
	"context"
	"maps"
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

// ScopeName is the name of the tracer.
const ScopeName = "github.com/zmylab/zmy/adapters/otelx"

// Attributes of spans. Spans also have attributes of OpenTelemetry's semantic conventions:
// error.type, the class of the error, and those of [Options.Method].
const (
	KeyCodec   = attribute.Key("zmy.codec")         // its name
	KeyVersion = attribute.Key("zmy.codec.version") // version of its module, if known
	KeyOp      = attribute.Key("zmy.op")            // marshal | unmarshal | encode | decode
	KeyType    = attribute.Key("zmy.type")          // the Go type
	KeySize    = attribute.Key("zmy.size")          // bytes of the message
	KeySlow    = attribute.Key("zmy.slow")          // true if the operation took at least Options.Slow
	KeyStack   = attribute.Key("code.stacktrace")   // stack of the caller, see Options.Frames
	keyError   = attribute.Key("error.type")
	keySystem  = attribute.Key("rpc.system")
	keyService = attribute.Key("rpc.service")
	keyMethod  = attribute.Key("rpc.method")
)

// Attributes of the event "codec changed", see codec.Change. The event is added to the span of the
// request that caused a change to another codec.
const (
	KeyChooser = attribute.Key("zmy.chooser")
	KeyFrom    = attribute.Key("zmy.from")
	KeyTo      = attribute.Key("zmy.to")
	KeyShare   = attribute.Key("zmy.share")
	KeyCause   = attribute.Key("zmy.cause")
)

// Options of an observer.
type Options struct {
	// Share is the share of operations that get a span, drawn at random for each operation:
	// Production, Development or a value between them. 0 means Production, a negative value none.
	//
	// Decisions of the parent come first: within a span that is not sampled no span is made. For a
	// span without parent the provider's sampler decides too.
	Share float64
	// ShareInTraces is the share within a sampled parent span. 0 means 1, so that traces are
	// complete. A negative value means none.
	ShareInTraces float64

	// Slow marks spans of operations that took at least this long. 0 means codec.SlowMark, a
	// negative value none. Operations that are slow or fail get a span even if they were not drawn,
	// unless DrawnOnly is set.
	Slow      time.Duration
	DrawnOnly bool

	// MaxDepth is the greatest depth of the caller's stack, in frames, at which an operation gets a
	// span. It keeps deep recursions from flooding a trace. 0 means no limit. Frames of wrappers of
	// codecs do not count. The check costs 2 µs and some 20 ns a frame, for drawn operations only.
	MaxDepth int
	// Frames is how many frames of the caller's stack code.stacktrace contains. The first is the
	// function that has called the outermost wrapper of the codec.
	Frames int

	// ErrorTexts records the texts of errors, which may quote the message. The class is always
	// recorded.
	ErrorTexts bool

	// Kind of the spans; 0 means trace.SpanKindInternal.
	Kind trace.SpanKind

	// Method finds the gRPC method for which a codec works: use grpcx.Method. Spans then have
	// rpc.system, rpc.service and rpc.method of the semantic conventions.
	Method func(context.Context) (name string, server, ok bool)

	// Versions are the versions of codecs by name. Those of this project's codecs and of the
	// standard library's are known without it.
	Versions map[string]string

	// TracerProvider is where spans go. nil means otel.GetTracerProvider().
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
	p := cmp.Or(o.TracerProvider, otel.GetTracerProvider())
	known := versions()
	maps.Copy(known, o.Versions)
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

// kind is what all spans of one codec and operation share. It is made once.
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

// verb returns the operation's word in the name of a span. It is the same for messages and streams.
func verb(op codec.Op) string {
	switch op {
	case codec.OpMarshal, codec.OpEncode:
		return "encode"
	}
	return "decode"
}

// own is the context key of the span that an observer has begun for an operation.
type own struct{ o *observer }

// Begin begins a span if the operation is drawn.
func (o *observer) Begin(ctx context.Context, e codec.Event) context.Context {
	if !o.drawn(ctx) || o.opt.MaxDepth > 0 && deeper(o.opt.MaxDepth) {
		if ctx.Value(own{o}) != nil { // the span of an enclosing operation must not be ended by this one
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

// drawn decides whether an operation gets a span. The parent's decision comes first.
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

// End ends the operation's span. It makes a span for an operation that was not drawn but is slow or
// has failed.
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

// Changed adds an event to the current span of ctx, such as the request's, if that span is
// recorded.
func (o *observer) Changed(ctx context.Context, c codec.Change) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	span.AddEvent("codec changed", trace.WithTimestamp(c.Time), trace.WithAttributes(
		KeyChooser.String(c.Chooser), KeyFrom.String(c.From), KeyTo.String(c.To), KeyShare.Float64(c.Share), KeyCause.String(c.Cause)))
}

// dropped reports whether the parent span is not sampled.
func (o *observer) dropped(ctx context.Context) bool {
	parent := trace.SpanContextFromContext(ctx)
	return parent.IsValid() && !parent.IsSampled()
}
