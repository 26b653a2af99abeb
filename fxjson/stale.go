package fxjson

import (
	"reflect"

	"github.com/zmylab/zmy/fxjson/jsonrt"
)

// Stale returns the types met so far whose generated code is not used: they, or types that
// they are made of, have other fields, struct tags or methods than when it was generated, as
// after an update of another module. They are handled by reflection, which is right and
// slower. Run go generate, or fxjson -check to see which files are out of date.
func Stale() []reflect.Type { return jsonrt.StaleTypes() }

// OnStale has f called with every type that [Stale] returns, now or later, on goroutines of
// their own. A later call replaces f; nil is not called.
func OnStale(f func(reflect.Type)) { jsonrt.OnStale(f) }
