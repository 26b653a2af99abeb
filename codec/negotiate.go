package codec

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Negotiate returns the codec for a reply, and the media type to label it with,
// from the values of the Accept headers of a request (RFC 9110, section 12.5.1).
//
// The weight of a media type is that of the most exact range that names it. Among
// equal weights the order of the header decides, then that of [Registry.MediaTypes].
// No header, or an empty one, accepts anything; malformed elements are
// passed over. The error, where nothing is acceptable, lists what there is.
//
// A reply that depends on this says so: Vary: Accept.
func (r *Registry) Negotiate(accept ...string) (Codec, string, error) {
	s := r.load()
	return s.negotiate(&s.offers, accept)
}

// NegotiateFor is [Registry.Negotiate] for a reply that is a t or a *t: the codecs set
// for t ([Registry.SetType]) are those that the registry prefers, and have all media types
// of their own, also those that another codec has for the rest.
func (r *Registry) NegotiateFor(t reflect.Type, accept ...string) (Codec, string, error) {
	s := r.load()
	return s.negotiate(s.offersFor(t), accept)
}

// offersFor returns what a value of type t may be written as, nil being any type.
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

// NegotiateAmong is [Registry.Negotiate] among media types that are given, best first,
// in lower case and without parameters. It returns the index of one.
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

// choose returns the index of the best offer, -1 where none is acceptable.
func (o *offers) choose(accept []string) int {
	var room [16]choice
	choices := room[:]
	if len(o.list) > len(room) {
		choices = make([]choice, len(o.list))
	}
	choices = choices[:len(o.list)]
	var rank uint32 // of the ranges that name something here; 0 before the first
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
					return i // nothing that follows is more exact, or stands before it
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

// anyText reports whether a header says anything at all.
func anyText(headers []string) bool {
	for _, h := range headers {
		if strings.Trim(h, " \t") != "" {
			return true
		}
	}
	return false
}

// mayName reports whether an element of an Accept header can name an offer. Most of what
// browsers send cannot, and is then not looked at any further (BenchmarkNegotiate). Of
// well-formed elements it is wrong in one direction only, and no other counts.
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

// sketchOf is one of 256 numbers, by length, middle and end of a media type in any case.
func sketchOf(mediaType string) uint8 {
	n := len(mediaType)
	return uint8(n)*29 + (mediaType[n/2]|0x20)*7 + (mediaType[n-1] | 0x20)
}

// choice is what the ranges heard so far say about one offer.
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
	sketch [256]bool // true at sketchOf of each
}

// offer is a media type that a registry can write.
type offer struct {
	mediaType string
	kind, sub string // its halves
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

// listOffers adds to o all that s can write, in the order of MediaTypes.
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

// typedOffers returns what a type may be written as that has codecs of its own.
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
