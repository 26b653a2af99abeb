package fxjson

import (
	"reflect"

	"github.com/zmylab/zmy/fxjson/jsonrt"
)

// Stale returns the types met so far whose generated code is out of date and therefore not used:
// the type, or one that it contains, has other fields, struct tags or methods than when the code was
// generated, for example after an update of another module. Reflection handles the type, which is
// correct but slower. Run go generate; fxjson -check lists the files that are out of date.
func Stale() []reflect.Type { return jsonrt.StaleTypes() }

// OnStale sets f to be called with every type that [Stale] returns, now or later, each time on a
// goroutine of its own. A later call replaces f. If f is nil, nothing is called.
func OnStale(f func(reflect.Type)) { jsonrt.OnStale(f) }
