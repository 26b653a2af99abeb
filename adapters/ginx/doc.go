// Package ginx serves functions of package nano in Gin, makes nano's codecs available to existing
// handlers, and replaces Gin's own JSON by fxjson.
//
//	api := nano.NewService(registry)
//	r := gin.Default()
//	r.POST("/orders", ginx.Handle(api, func(ctx context.Context, in NewOrder) (Order, error) { … }))
//
// A function has the signature that [nano.Handle] takes, so it can be moved between frameworks. The
// function can get Gin's path parameters from [http.Request.PathValue], and the *gin.Context from
// [Context]. Gin's validator (struct tag binding) validates the decoded value. An error is recorded
// in [gin.Context.Errors], and the remaining handlers are aborted.
//
// Handlers with Gin's own signature use [Exchanges] as middleware, and call [Bind], [Reply],
// [ReplyStream] and [Fail]. Without that middleware they can use [Binding] and [Render] with Gin's
// own methods ShouldBindWith and Render; both use one fixed codec. [DecodeFirst] is middleware that
// decodes a body once for all later middleware and handlers. [UseFXJSON] changes no handler at all.
//
// [WithErrors], [LeaveErrors] and [WithValidator] have the same names in package echox.
//
// # Answers that are cut off
//
// If an answer has begun but cannot be finished, it is cut off, so that no client takes a part of
// it for the whole. Package net/http cuts an answer off when its handler panics with
// [http.ErrAbortHandler]. But [gin.Recovery] swallows this panic (Gin 1.12), and the answer ends as
// if it were whole. So handlers of this package first set the connection's write deadline to a time
// in the past.
package ginx
