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

// Registry finds codecs by name, by media type and by Go type. It may be changed while it is in
// use: readers load an immutable snapshot and take no lock, writers replace the snapshot. The zero
// value is empty and ready. A Registry must not be copied after first use.
type Registry struct {
	mu    sync.Mutex // held by writers
	state atomic.Pointer[snapshot]
}

// snapshot is one state of a Registry. It is not changed once published. Its tables refer to codecs
// by name, so that Replace reaches all of them.
type snapshot struct {
	byName   map[string]Codec
	byMedia  map[string]string         // media type → name
	byType   map[reflect.Type][]string // type → names, best first
	order    []string                  // names in the order of registration
	first    string                    // name of the default, "" while there is none
	observer Observer                  // nil if there is none

	// The same tables for readers, filled by publish: one look-up returns the codec as it is handed
	// out, observed if there is an observer.
	named  map[string]Codec
	media  map[string]Codec
	types  map[reflect.Type]Codec
	def    Codec // the default, nil while there is none
	offers offers
	typed  map[reflect.Type]*offers // for the types in byType
}

var empty = snapshot{byName: map[string]Codec{}, byMedia: map[string]string{}, byType: map[reflect.Type][]string{}}

// publish fills the tables for readers.
func (s *snapshot) publish() {
	s.named = make(map[string]Codec, len(s.byName))
	for name, c := range s.byName {
		s.named[name] = Observe(c, s.observer)
	}
	s.media = make(map[string]Codec, len(s.byMedia))
	for mediaType, name := range s.byMedia {
		s.media[mediaType] = s.named[name]
	}
	s.types = make(map[reflect.Type]Codec, len(s.byType))
	s.def = s.named[s.first]
	s.listOffers(&s.offers)
	s.typed = make(map[reflect.Type]*offers, len(s.byType))
	for t, names := range s.byType {
		s.types[t] = s.named[names[0]]
		s.typed[t] = s.typedOffers(names)
	}
}

func (r *Registry) load() *snapshot {
	if s := r.state.Load(); s != nil {
		return s
	}
	return &empty
}

// change calls edit with a copy of the present state, and publishes that unless edit returns an
// error.
func (r *Registry) change(edit func(s *snapshot) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.load()
	s := &snapshot{
		byName:  maps.Clone(old.byName),
		byMedia: maps.Clone(old.byMedia),
		byType:  maps.Clone(old.byType),
		order:   slices.Clone(old.order),
		first:   old.first,

		observer: old.observer,
	}
	if err := edit(s); err != nil {
		return err
	}
	s.publish()
	r.state.Store(s)
	return nil
}

// changeNamed is change for an edit that needs the codecs of these names.
func (r *Registry) changeNamed(names []string, edit func(s *snapshot)) error {
	return r.change(func(s *snapshot) error {
		for _, name := range names {
			if _, ok := s.byName[name]; !ok {
				return s.noCodec(name)
			}
		}
		edit(s)
		return nil
	})
}

// NewRegistry returns a registry of the given codecs. The first one is the default. If several
// codecs have the same media type, it belongs to the first of them. NewRegistry panics if two
// codecs have the same name, which is a mistake in the program.
func NewRegistry(codecs ...Codec) *Registry {
	r := new(Registry)
	for _, c := range codecs {
		if err := r.Register(c); err != nil {
			panic(err)
		}
	}
	return r
}

// Register adds a codec under its name. The codec also gets those of its media types that no other
// codec has yet. The first codec that is registered becomes the default.
func (r *Registry) Register(c Codec) error {
	if c == nil || c.Name() == "" {
		return fmt.Errorf("codec: register %T: a codec needs a name", c)
	}
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

// claim gives c those of its media types that no codec has.
func (s *snapshot) claim(c Codec) {
	for _, m := range mediaTypes(c) {
		if m = baseType(m); s.byMedia[m] == "" {
			s.byMedia[m] = c.Name()
		}
	}
}

// Replace exchanges the codec of the same name. Media types and Go types that had the old one then
// have the new one.
func (r *Registry) Replace(c Codec) error {
	return r.changeNamed([]string{c.Name()}, func(s *snapshot) {
		s.byName[c.Name()] = c
		s.claim(c)
	})
}

// Unregister removes a codec with its media types and Go types. If another registered codec has one
// of the media types too, that codec gets it. If the removed codec was the default, the first one
// that is left becomes the default. A caller that already holds the codec may go on using it, so a
// request that began with the codec also ends with it.
func (r *Registry) Unregister(name string) error {
	return r.changeNamed([]string{name}, func(s *snapshot) {
		delete(s.byName, name)
		gone := func(n string) bool { return n == name }
		s.order = slices.DeleteFunc(s.order, gone)
		maps.DeleteFunc(s.byMedia, func(_, n string) bool { return n == name })
		for t, names := range s.byType { // the old snapshot shares these slices, so they must not change
			if names = slices.DeleteFunc(slices.Clone(names), gone); len(names) > 0 {
				s.byType[t] = names
			} else {
				delete(s.byType, t)
			}
		}
		for _, n := range s.order {
			s.claim(s.byName[n])
		}
		if s.first == name {
			s.first = append(s.order, "")[0]
		}
	})
}

// SetDefault makes the named codec the default: For returns it for types without a codec of their
// own, and its media types come first in MediaTypes, so Negotiate prefers it for */*. It does not
// change which codec has a media type.
func (r *Registry) SetDefault(name string) error {
	return r.changeNamed([]string{name}, func(s *snapshot) { s.first = name })
}

// SetMediaType makes the named codec the one for a media type, in place of any other.
func (r *Registry) SetMediaType(mediaType, name string) error {
	return r.changeNamed([]string{name}, func(s *snapshot) { s.byMedia[baseType(mediaType)] = name })
}

// SetType names the codecs for values of type t and pointers to them, best first. [Registry.For]
// returns the first one. [Registry.NegotiateFor] prefers their media types.
// [Registry.ByMediaTypeFor] returns them for their media types, even those that another codec reads
// for other types.
func (r *Registry) SetType(t reflect.Type, name string, more ...string) error {
	names := append([]string{name}, more...)
	return r.changeNamed(names, func(s *snapshot) { s.byType[pointee(t)] = names })
}

// Observe makes o the observer of r's codecs, including codecs that are registered later. A nil o
// removes the observer. Codecs that were handed out before are not affected. Without an observer,
// codecs are handed out as they were registered, at no cost. With one, each is wrapped by the
// function [Observe]: call [WithContext] with the request's context before you use it.
func (r *Registry) Observe(o Observer) {
	_ = r.changeNamed(nil, func(s *snapshot) { s.observer = o })
}

// SetTypeFor is [Registry.SetType] for the type T.
func SetTypeFor[T any](r *Registry, name string, more ...string) error {
	return r.SetType(reflect.TypeFor[T](), name, more...)
}

// Lookup returns the codec with that name.
func (r *Registry) Lookup(name string) (Codec, error) {
	s := r.load()
	if c, ok := s.named[name]; ok {
		return c, nil
	}
	return nil, s.noCodec(name)
}

// ByMediaType returns the codec for a media type. Parameters such as charset are ignored.
func (r *Registry) ByMediaType(mediaType string) (Codec, error) {
	s := r.load()
	if c, ok := s.media[baseType(mediaType)]; ok {
		return c, nil
	}
	return nil, s.noMediaType(mediaType)
}

// ByMediaTypeFor is [Registry.ByMediaType] for a message that is read into a t or a *t. A codec
// that is set for t and has the media type comes before the codec that reads it for other types.
func (r *Registry) ByMediaTypeFor(t reflect.Type, mediaType string) (Codec, error) {
	s := r.load()
	if len(s.typed) > 0 {
		base := baseType(mediaType)
		for _, o := range s.offersFor(t).list {
			if o.mediaType == base {
				return o.codec, nil
			}
		}
	}
	return r.ByMediaType(mediaType)
}

func (s *snapshot) noMediaType(key string) error {
	return &LookupError{What: "media type", Key: key, Have: slices.Sorted(maps.Keys(s.byMedia))}
}

// For returns the codec for v, a T or a *T: the first one set for T, or else the default.
func (r *Registry) For(v any) (Codec, error) { return r.ForType(reflect.TypeOf(v)) }

// ForType is [Registry.For] for values of type t. For nil it returns the default.
func (r *Registry) ForType(t reflect.Type) (Codec, error) {
	s := r.load()
	if len(s.types) > 0 && t != nil {
		if c, ok := s.types[pointee(t)]; ok {
			return c, nil
		}
	}
	if s.def == nil {
		return nil, &LookupError{What: "Go type", Key: fmt.Sprint(t)}
	}
	return s.def, nil
}

// Names returns the names of all codecs in the order of their registration.
func (r *Registry) Names() []string { return slices.Clone(r.load().order) }

func (s *snapshot) noCodec(name string) error {
	return &LookupError{What: "codec", Key: name, Have: slices.Sorted(maps.Keys(s.byName))}
}

// baseType returns a media type in lower case, without parameters and spaces.
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
