package codec

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Registry finds codecs by name, by media type and by Go type. It may change
// while it is in use: readers load one immutable snapshot and take no lock,
// writers replace the snapshot (copy on write). The zero value is empty and
// ready; a Registry must not be copied after first use.
type Registry struct {
	mu    sync.Mutex // held by writers
	state atomic.Pointer[snapshot]
}

// snapshot is one state of a Registry; it is never changed once published.
type snapshot struct {
	byName  map[string]Codec
	byMedia map[string]string       // media type → name
	byType  map[reflect.Type]string // → name
	order   []string                // names in the order of registration
	first   string                  // name of the default, "" while there is none
	offers  []offer                 // what Negotiate chooses from, best first
}

var empty snapshot

func (r *Registry) load() *snapshot {
	if s := r.state.Load(); s != nil {
		return s
	}
	return &empty
}

// change publishes what edit makes of a copy of the present state.
func (r *Registry) change(edit func(s *snapshot) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.load()
	s := &snapshot{
		byName:  clone(old.byName),
		byMedia: clone(old.byMedia),
		byType:  clone(old.byType),
		order:   slices.Clone(old.order),
		first:   old.first,
	}
	if err := edit(s); err != nil {
		return err
	}
	s.offers = s.listOffers()
	r.state.Store(s)
	return nil
}

// clone is maps.Clone that makes a map of nil.
func clone[K comparable, V any](m map[K]V) map[K]V {
	if m == nil {
		return make(map[K]V)
	}
	return maps.Clone(m)
}

// NewRegistry returns a registry of the given codecs, the first being the
// default. It panics if two have one name: that is a mistake in the program.
func NewRegistry(codecs ...Codec) *Registry {
	r := new(Registry)
	for _, c := range codecs {
		if err := r.Register(c); err != nil {
			panic(err)
		}
	}
	return r
}

// Register adds a codec under its name, and under those of its media types that
// have no codec yet. The first codec registered becomes the default.
func (r *Registry) Register(c Codec) error {
	return r.change(func(s *snapshot) error {
		name := c.Name()
		if _, taken := s.byName[name]; taken {
			return fmt.Errorf("codec: register %q: %w; use Replace to exchange it", name, ErrDuplicate)
		}
		s.byName[name] = c
		s.order = append(s.order, name)
		if s.first == "" {
			s.first = name
		}
		s.claim(c)
		return nil
	})
}

// claim gives c those of its media types that have no codec yet.
func (s *snapshot) claim(c Codec) {
	for _, m := range mediaTypes(c) {
		if _, taken := s.byMedia[m]; !taken {
			s.byMedia[m] = c.Name()
		}
	}
}

// Replace exchanges the codec of the same name, in everything that refers to it.
func (r *Registry) Replace(c Codec) error {
	return r.change(func(s *snapshot) error {
		if _, err := s.named(c.Name()); err != nil {
			return err
		}
		s.byName[c.Name()] = c
		s.claim(c)
		return nil
	})
}

// SetDefault names the codec that For returns for types without one of their own.
func (r *Registry) SetDefault(name string) error {
	return r.change(func(s *snapshot) error {
		if _, err := s.named(name); err != nil {
			return err
		}
		s.first = name
		return nil
	})
}

// SetMediaType makes the named codec the one for a media type, whichever had it.
func (r *Registry) SetMediaType(mediaType, name string) error {
	return r.change(func(s *snapshot) error {
		if _, err := s.named(name); err != nil {
			return err
		}
		s.byMedia[baseType(mediaType)] = name
		return nil
	})
}

// SetType makes the named codec the one for values of type t and pointers to them.
func (r *Registry) SetType(t reflect.Type, name string) error {
	return r.change(func(s *snapshot) error {
		if _, err := s.named(name); err != nil {
			return err
		}
		s.byType[pointee(t)] = name
		return nil
	})
}

// SetTypeFor is [Registry.SetType] for the type T.
func SetTypeFor[T any](r *Registry, name string) error {
	return r.SetType(reflect.TypeFor[T](), name)
}

// Lookup returns the codec of that name.
func (r *Registry) Lookup(name string) (Codec, error) { return r.load().named(name) }

// ByMediaType returns the codec for a media type; parameters such as charset are
// ignored.
func (r *Registry) ByMediaType(mediaType string) (Codec, error) {
	s := r.load()
	if name, ok := s.byMedia[baseType(mediaType)]; ok {
		return s.named(name)
	}
	return nil, s.noMediaType(mediaType)
}

func (s *snapshot) noMediaType(key string) error {
	return &LookupError{What: "media type", Key: key, Have: slices.Sorted(maps.Keys(s.byMedia))}
}

// For returns the codec for v, a T or a *T: the one set for T, else the default.
func (r *Registry) For(v any) (Codec, error) {
	s := r.load()
	if len(s.byType) > 0 && v != nil {
		if name, ok := s.byType[pointee(reflect.TypeOf(v))]; ok {
			return s.named(name)
		}
	}
	if s.first == "" {
		return nil, &LookupError{What: "Go type", Key: fmt.Sprintf("%T", v)}
	}
	return s.named(s.first)
}

// Names returns the names of all codecs in the order of their registration.
func (r *Registry) Names() []string { return slices.Clone(r.load().order) }

func (s *snapshot) named(name string) (Codec, error) {
	if c, ok := s.byName[name]; ok {
		return c, nil
	}
	return nil, &LookupError{What: "codec", Key: name, Have: slices.Sorted(maps.Keys(s.byName))}
}

func mediaTypes(c Codec) []string {
	if m, ok := c.(MediaTyped); ok {
		return m.MediaTypes()
	}
	return nil
}

// baseType cuts parameters and spaces off a media type, in lower case.
func baseType(mediaType string) string {
	base, _, _ := strings.Cut(mediaType, ";")
	return strings.ToLower(strings.TrimSpace(base))
}

func pointee(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}
