package codec

import (
	"maps"
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
	var room [16]choice
	choices := room[:]
	if len(s.offers) > len(room) {
		choices = make([]choice, len(s.offers))
	}
	choices = choices[:len(s.offers)]
	var rank uint32 // of the ranges that name something here; 0 before the first
	for _, header := range accept {
		quoted := strings.IndexByte(header, '"') >= 0
		for header != "" {
			var element string
			element, header = cutElement(header, quoted)
			if !s.mayName(element) {
				continue
			}
			m, ok := parseRange(element)
			if !ok {
				continue
			}
			for i := range s.offers {
				o := &s.offers[i]
				match := m.match(o.kind, o.sub)
				if match == itselfExact && m.weight == maxWeight && rank == 0 {
					return o.codec, o.mediaType, nil // nothing that follows is more exact, or stands before it
				}
				choices[i].hear(match, m.weight, rank)
			}
			rank++
		}
	}
	best := choice{}
	var o *offer
	for i, c := range choices {
		if c.weight > best.weight || c.weight == best.weight && c.weight > 0 && c.rank < best.rank {
			best, o = c, &s.offers[i]
		}
	}
	switch {
	case o != nil:
		return o.codec, o.mediaType, nil
	case anyText(accept):
		return nil, "", s.noMediaType(strings.Join(accept, ", "))
	case len(s.offers) > 0:
		return s.offers[0].codec, s.offers[0].mediaType, nil
	}
	return nil, "", s.noMediaType("")
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
func (s *snapshot) mayName(element string) bool {
	if i := strings.IndexByte(element, ';'); i >= 0 {
		element = element[:i]
	}
	n := len(element)
	if n > 0 && (isSpace(element[0]) || isSpace(element[n-1])) {
		element = trim(element)
		n = len(element)
	}
	return n > 0 && (element[n-1] == '*' || s.sketch[sketchOf(element)])
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

// offer is a media type that a registry can write.
type offer struct {
	mediaType string
	kind, sub string // its halves
	codec     Codec
}

// MediaTypes returns the media types that r reads and writes, in the order in
// which it prefers to write them: those of the default codec, of the others as they were
// registered, then those set by SetMediaType. It is the list for answers 406 and 415.
func (r *Registry) MediaTypes() []string {
	s := r.load()
	out := make([]string, len(s.offers))
	for i, o := range s.offers {
		out[i] = o.mediaType
	}
	return out
}

// listOffers returns the offers in the order of MediaTypes.
func (s *snapshot) listOffers() []offer {
	var out []offer
	listed := map[string]bool{}
	add := func(mediaType, name string) {
		if s.byMedia[mediaType] == name && !listed[mediaType] {
			listed[mediaType] = true
			kind, sub, _ := strings.Cut(mediaType, "/")
			out = append(out, offer{mediaType, kind, sub, s.named[name]})
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
	return out
}
