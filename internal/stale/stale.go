// Package stale lists types whose generated code is not used, because the types have changed since
// it was generated. Packages fxjson and zmy report these types.
package stale

import (
	"reflect"
	"slices"
	"sync"
)

// Types is a list of types, and a function that is called with each of them. The zero value is
// empty. It is safe for concurrent use.
type Types struct {
	mu    sync.Mutex
	types []reflect.Type
	hook  func(reflect.Type)
}

// Add adds t unless the list has it.
func (s *Types) Add(t reflect.Type) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Contains(s.types, t) {
		return
	}
	s.types = append(s.types, t)
	if s.hook != nil {
		go s.hook(t) // on a goroutine, because it may marshal while the caller is making a plan
	}
}

// List returns the types in the order in which they were added.
func (s *Types) List() []reflect.Type {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.types)
}

// On makes f the function that is called with each type, including those added before. Each call
// has a goroutine of its own. f replaces the function that was set before; nil sets none.
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
