// Package nano serves typed functions over HTTP:
//
//	mux.Handle("POST /orders", nano.Handle(reg, func(ctx context.Context, in NewOrder) (Order, error) { … }))
//
// The request's body is decoded by its Content-Type, the answer encoded in what
// Accept asks for, both by the codecs of a [codec.Registry]; errors become problem
// documents (RFC 9457). [HandleStream] serves an iterator as a stream of numbered
// frames that a client can verify and resume ([ReadStream]).
//
// # Where values come from
//
// The body fills In. A method Bind of In ([Binder]) takes values from the path, the query or the
// header; it runs after the body was decoded and before the function is called. The function
// reaches the request, and the status and header of its answer, by [FromContext].
//
// # Order of checks
//
// Accept (406), limiter and breaker (429, 503), Content-Type and Content-Encoding (415),
// Content-Length (413), then the body is read; a client that waits for 100 Continue is
// told to send only then. The function is not called for an answer that nobody would
// accept.
//
// # Frameworks
//
// [Handle] is [Run] plus [Exchange.Fail] as an [http.Handler]. A framework with an idiom
// of its own calls Run or RunStream with its response writer and request, and hands
// the error that they return, before anything was written, to its own error handling; or
// it takes the steps one by one: [Service.Begin], [Exchange.Negotiate], [Exchange.Admit],
// [Exchange.Decode], [Exchange.Reply], [Exchange.Fail], [Exchange.End].
package nano
