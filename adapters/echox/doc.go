// Package echox serves functions of package nano in Echo 5, makes nano's codecs available to
// existing handlers, and replaces Echo's own JSON by fxjson.
// (Package echox4 is the same for Echo 4.)
//
//	api := nano.NewService(registry)
//	e := echo.New()
//	e.POST("/orders", echox.Handle(api, func(ctx context.Context, in NewOrder) (Order, error) { … }))
//
// A function has the signature that [nano.Handle] takes, so it can be moved between frameworks. The
// function can get Echo's path parameters from [http.Request.PathValue], and the *echo.Context from
// [Context]. If Echo has a validator, it validates the decoded value. An error is answered with a
// problem document and then returned to Echo, for middleware that looks at errors; Echo's own error
// handler does nothing once an answer was written. With [LeaveErrors] that handler writes the
// answer.
//
// Handlers with Echo's own signature use [Exchanges] as middleware, and call [Bind], [Reply] and
// [ReplyStream]. [DecodeFirst] is middleware that decodes a body once for all later middleware and
// handlers.
//
// With [Binder] and [Serializer] the handlers do not change. With Binder, c.Bind reads paths,
// queries, forms, JSON and XML as Echo does, and bodies of other media types with the service's
// codecs. With Serializer, c.JSON, and c.Bind for JSON, use fxjson.
//
// [WithErrors], [LeaveErrors] and [WithValidator] have the same names in package ginx.
package echox
