// Package stale keeps the types whose generated code is not used because the types have
// changed since, for packages fxjson and zmy to tell.
package stale

import (
	"reflect"
	"slices"
	"sync"
)

// Types is a list of types and a function that hears of each. The zero value is empty. It is
// for use by several goroutines.
type Types struct {
	mu    sync.Mutex
	types []reflect.Type
	hook  func(reflect.Type)
}

// Add adds t, once.
func (s *Types) Add(t reflect.Type) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Contains(s.types, t) {
		return
	}
	s.types = append(s.types, t)
	if s.hook != nil {
		go s.hook(t) // which may marshal, while a plan is being made here
	}
}

// List returns the types in the order in which they were added.
func (s *Types) List() []reflect.Type {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.types)
}

// On has f called with each type, those added before included, each time on a goroutine of
// its own. It replaces the function given before.
func (s *Types) On(f func(reflect.Type)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hook = f
	if f == nil {
		return
	}
	for _, t := range s.types {
		go f(t)
	}
}
