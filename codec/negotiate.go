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
	choices := room[:0]
	if len(s.offers) > len(room) {
		choices = make([]choice, 0, len(s.offers))
	}
	choices = choices[:len(s.offers)]
	rank := 0
	for _, header := range accept {
		for header != "" {
			var m mediaRange
			var ok bool
			if m, header, ok = nextRange(header); !ok {
				continue
			}
			for i := range s.offers {
				choices[i].hear(m, &s.offers[i], rank)
			}
			rank++
		}
	}
	if rank == 0 && !anyText(accept) {
		if len(s.offers) > 0 {
			return s.offers[0].codec, s.offers[0].mediaType, nil
		}
		return nil, "", s.noMediaType("")
	}
	best := choice{}
	var o *offer
	for i, c := range choices {
		if c.weight > best.weight || c.weight == best.weight && c.weight > 0 && c.rank < best.rank {
			best, o = c, &s.offers[i]
		}
	}
	if o == nil {
		return nil, "", s.noMediaType(strings.Join(accept, ", "))
	}
	return o.codec, o.mediaType, nil
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

// choice is what the ranges heard so far say about one offer.
type choice struct {
	match  int
	weight int
	rank   int // place of the range that decided
}

func (c *choice) hear(m mediaRange, o *offer, rank int) {
	if match := m.match(o.kind, o.sub); match > c.match {
		*c = choice{match, m.weight, rank}
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
