package lab

import "embed"

// sources are compiled together with the user's type (package harness).
//
//go:embed worker/*.go worker/*/*.go fidelity/*.go values/*.go
var sources embed.FS
