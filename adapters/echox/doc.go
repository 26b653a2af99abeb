// Package echox serves functions of package nano in Echo 5, brings its codecs to handlers that
// exist already, and puts fxjson behind Echo's own JSON. (Package echox4 is the same for Echo 4.)
//
//	api := nano.NewService(registry)
//	e := echo.New()
//	e.POST("/orders", echox.Handle(api, func(ctx context.Context, in NewOrder) (Order, error) { … }))
//
// A function is the same one that [nano.Handle] takes, so that it can be moved between frameworks.
// Beside what nano does with it, path parameters of Echo are found by [http.Request.PathValue], the
// decoded value is validated by Echo's validator where there is one, and [Context] finds the
// *echo.Context. An error is answered with a problem document and then returned, for middleware
// that looks at errors; Echo's own error handler leaves alone what was answered. [LeaveErrors] has
// it answer.
//
// Handlers with Echo's own signature use [Exchanges] as middleware and then [Bind], [Reply] and
// [ReplyStream]; [DecodeFirst] is middleware that parses a body for all that is behind it. With
// [Binder] and [Serializer] no handler changes at all: c.Bind reads every codec, c.JSON is
// fxjson's.
//
// [WithErrors], [LeaveErrors] and [WithValidator] have the same names in package ginx.
package echox
