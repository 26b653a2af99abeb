package values

import "embed"

// Source holds the source of this package, for programs that draw values of a user's types.
//
//go:embed *.go
var Source embed.FS
