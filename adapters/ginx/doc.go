// Package ginx serves functions of package nano in Gin, brings its codecs to handlers that exist
// already, and puts fxjson behind Gin's own JSON.
//
//	api := nano.NewService(registry)
//	r := gin.Default()
//	r.POST("/orders", ginx.Handle(api, func(ctx context.Context, in NewOrder) (Order, error) { … }))
//
// A function is the same one that [nano.Handle] takes, so that it can be moved between frameworks.
// Beside what nano does with it, path parameters of Gin are found by [http.Request.PathValue], the
// decoded value is validated by Gin's validator (struct tag binding), errors are recorded in
// [gin.Context.Errors] and the handlers behind are aborted; [Context] finds the *gin.Context.
//
// Handlers with Gin's own signature use [Exchanges] as middleware and then [Bind], [Reply],
// [ReplyStream] and [Fail]; or, without any of it, [Binding] and [Render] by Gin's own methods
// ShouldBindWith and Render. [DecodeFirst] is middleware that parses a body for all that is behind
// it. [UseFXJSON] changes no handler at all.
//
// [WithErrors], [LeaveErrors] and [WithValidator] have the same names in package echox.
//
// # Answers that are cut off
//
// An answer that has begun and cannot be finished is cut off, so that no client takes a part of it
// for the whole. Package net/http does that when a handler panics with [http.ErrAbortHandler], but
// [gin.Recovery] swallows this panic (Gin 1.12), which ends the answer as if it were whole.
// Handlers of this package therefore let the connection's write deadline pass first.
package ginx
