package openloop

import "embed"

// Source is the text of this package. The lab compiles it into its workers, which must not require
// the module that it belongs to.
//
//go:embed *.go
var Source embed.FS
