package fit

import "embed"

// Source is the source text of this package. The lab compiles it into its workers, which must not
// require the core module.
//
//go:embed *.go
var Source embed.FS
