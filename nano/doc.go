// Package nano serves typed functions over HTTP:
//
//	mux.Handle("POST /orders", nano.Handle(reg, func(ctx context.Context, in NewOrder) (Order, error) { … }))
//
// The codec of the request's body is chosen by its Content-Type, the codec of the answer by Accept,
// both from a [codec.Registry]. Errors become problem documents (RFC 9457). [HandleStream] serves an
// iterator as a stream of numbered frames, which a client can verify and resume ([ReadStream]).
//
// # Where values come from
//
// The body fills In. A method Bind of In ([Binder]) takes values from the path, the query or the
// header; it runs after the body was decoded and before the function is called. The function
// reaches the request, and the status and header of its answer, by [FromContext].
//
// # Order of checks
//
// Accept (406), limiter and breaker (429, 503), Content-Type (415), Content-Length (413),
// Content-Encoding (415). Then the body is read: a client that waits for 100 Continue is told to send
// only now. The function is not called if Accept allows none of the media types that are offered.
//
// # Frameworks
//
// [Handle] is [Run] plus [Service.Fail] as an [http.Handler]. The adapter of a framework calls Run or
// [RunStream] with the framework's response writer and request. If these return an error, nothing was
// written, and the framework's own error handling may answer it. An adapter may also call the single
// steps: [Service.Begin], [Exchange.NegotiateFor], [Exchange.Admit], [Exchange.Decode],
// [Exchange.Reply], [Exchange.Fail], [Exchange.End].
package nano
