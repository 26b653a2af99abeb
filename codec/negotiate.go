package codec

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Negotiate returns the codec for a reply, and the media type to label it with, from the values of
// a request's Accept headers (RFC 9110, section 12.5.1). If the type of the reply is known, call
// [Registry.NegotiateFor] instead: Negotiate does not know of codecs that are set for a type.
//
// The weight of a media type is the weight (q) of the most exact range that names it. Among media
// types of equal weight the order of the header decides, then the order of [Registry.MediaTypes].
// No header, or an empty one, accepts anything. Malformed elements are skipped. If nothing is
// acceptable, the error lists the media types that r can write.
//
// The caller sets the header Vary: Accept, since the reply depends on it.
func (r *Registry) Negotiate(accept ...string) (Codec, string, error) {
	s := r.load()
	return s.negotiate(&s.offers, accept)
}

// NegotiateFor is [Registry.Negotiate] for a reply that is a t or a *t. It prefers the codecs set
// for t ([Registry.SetType]). For t, these codecs get all their media types, even those that
// another codec writes for other types.
func (r *Registry) NegotiateFor(t reflect.Type, accept ...string) (Codec, string, error) {
	s := r.load()
	return s.negotiate(s.offersFor(t), accept)
}

// offersFor returns the offers for values of type t. A nil t stands for any type.
func (s *snapshot) offersFor(t reflect.Type) *offers {
	if len(s.typed) > 0 && t != nil {
		if o, ok := s.typed[pointee(t)]; ok {
			return o
		}
	}
	return &s.offers
}

func (s *snapshot) negotiate(o *offers, accept []string) (Codec, string, error) {
	if i := o.choose(accept); i >= 0 {
		return o.list[i].codec, o.list[i].mediaType, nil
	}
	return nil, "", s.noMediaType(strings.Join(accept, ", "))
}

// NegotiateAmong is [Registry.Negotiate] among the given media types, which are in lower case,
// without parameters, and sorted best first. It returns the index of the chosen one.
func NegotiateAmong(mediaTypes []string, accept ...string) (int, error) {
	var room [16]offer
	o := offers{list: room[:0]}
	for _, m := range mediaTypes {
		o.add(m, nil)
	}
	if i := o.choose(accept); i >= 0 {
		return i, nil
	}
	return -1, &LookupError{What: "media type", Key: strings.Join(accept, ", "), Have: slices.Sorted(slices.Values(mediaTypes))}
}

// choose returns the index of the best offer, or -1 if none is acceptable.
func (o *offers) choose(accept []string) int {
	var room [16]choice
	choices := room[:]
	if len(o.list) > len(room) {
		choices = make([]choice, len(o.list))
	}
	choices = choices[:len(o.list)]
	var rank uint32 // of the present range, counting ranges that may name an offer
	for _, header := range accept {
		quoted := strings.IndexByte(header, '"') >= 0
		for header != "" {
			var element string
			element, header = cutElement(header, quoted)
			if !o.mayName(element) {
				continue
			}
			m, ok := parseRange(element)
			if !ok {
				continue
			}
			for i := range o.list {
				match := m.match(o.list[i].kind, o.list[i].sub)
				if match == itselfExact && m.weight == maxWeight && rank == 0 {
					return i // no later range is more exact or of a lower rank
				}
				choices[i].hear(match, m.weight, rank)
			}
			rank++
		}
	}
	best, found := choice{}, -1
	for i, c := range choices {
		if c.weight > best.weight || c.weight == best.weight && c.weight > 0 && c.rank < best.rank {
			best, found = c, i
		}
	}
	if found < 0 && len(o.list) > 0 && !anyText(accept) {
		return 0
	}
	return found
}

// anyText reports whether any header has more than spaces and tabs.
func anyText(headers []string) bool {
	for _, h := range headers {
		if strings.Trim(h, " \t") != "" {
			return true
		}
	}
	return false
}

// mayName reports whether an element of an Accept header may name an offer. Most elements that
// browsers send name no offer, and are then not parsed (BenchmarkNegotiate). It may return true for
// an element that names no offer, but never false for a well-formed one that does.
func (o *offers) mayName(element string) bool {
	if i := strings.IndexByte(element, ';'); i >= 0 {
		element = element[:i]
	}
	n := len(element)
	if n > 0 && (isSpace(element[0]) || isSpace(element[n-1])) {
		element = trim(element)
		n = len(element)
	}
	return n > 0 && (element[n-1] == '*' || o.sketch[sketchOf(element)])
}

// sketchOf returns a one-byte hash of a media type's length, middle byte and last byte. Case does
// not matter.
func sketchOf(mediaType string) uint8 {
	n := len(mediaType)
	return uint8(n)*29 + (mediaType[n/2]|0x20)*7 + (mediaType[n-1] | 0x20)
}

// choice is what the ranges read so far say about one offer.
type choice struct {
	rank   uint32 // of the range that decided
	weight uint16
	match  uint8
}

func (c *choice) hear(match uint8, weight uint16, rank uint32) {
	if match > c.match {
		*c = choice{rank, weight, match}
	}
}

// offers are the media types that a reply may have, best first.
type offers struct {
	list   []offer
	sketch [256]bool // true at the sketchOf of each offer
}

// offer is a media type that a registry can write.
type offer struct {
	mediaType string
	kind, sub string // the parts before and after the slash
	codec     Codec
}

func (o *offers) add(mediaType string, c Codec) {
	kind, sub, _ := strings.Cut(mediaType, "/")
	o.list = append(o.list, offer{mediaType, kind, sub, c})
	if mediaType != "" {
		o.sketch[sketchOf(mediaType)] = true
	}
}

func (o *offers) has(mediaType string) bool {
	return slices.ContainsFunc(o.list, func(o offer) bool { return o.mediaType == mediaType })
}

// MediaTypes returns the media types that r reads and writes, in the order in which it prefers to
// write them: those of the default codec, those of the other codecs as they were registered, then
// those set by SetMediaType. Answers 406 and 415 list them.
func (r *Registry) MediaTypes() []string { return r.MediaTypesFor(nil) }

// MediaTypesFor is [Registry.MediaTypes] for values of type t: the media types of the codecs set for
// t ([Registry.SetType]) come first.
func (r *Registry) MediaTypesFor(t reflect.Type) []string {
	list := r.load().offersFor(t).list
	out := make([]string, len(list))
	for i, o := range list {
		out[i] = o.mediaType
	}
	return out
}

// listOffers adds to o all media types that s can write, in the order of MediaTypes.
func (s *snapshot) listOffers(o *offers) {
	add := func(mediaType, name string) {
		if s.byMedia[mediaType] == name && !o.has(mediaType) {
			o.add(mediaType, s.named[name])
		}
	}
	names := s.order
	if s.first != "" {
		names = append([]string{s.first}, names...)
	}
	for _, name := range names {
		for _, m := range mediaTypes(s.byName[name]) {
			add(baseType(m), name)
		}
	}
	for _, m := range slices.Sorted(maps.Keys(s.byMedia)) {
		add(m, s.byMedia[m])
	}
}

// typedOffers returns the offers for a type that has codecs of its own, whose names are given, best
// first.
func (s *snapshot) typedOffers(names []string) *offers {
	o := new(offers)
	for _, name := range names {
		for _, m := range mediaTypes(s.byName[name]) {
			if m = baseType(m); !o.has(m) {
				o.add(m, s.named[name])
			}
		}
	}
	s.listOffers(o)
	return o
}
