package lab

import "embed"

// sources are compiled beside the user's type (package harness).
//
//go:embed worker/*.go worker/*/*.go fidelity/*.go values/*.go
var sources embed.FS
