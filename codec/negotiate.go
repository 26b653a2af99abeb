package codec

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Negotiate returns the codec for a reply, and the media type to label it with,
// from the value of an Accept header (RFC 9110, section 12.5.1). The weight of a
// media type is that of the most specific range that it matches. Among equal
// weights the order of the header decides, then the default codec comes before
// the others in order of registration. An empty header accepts anything; malformed
// parts are passed over.
func (r *Registry) Negotiate(accept string) (Codec, string, error) {
	s := r.load()
	ranges := parseAccept(accept)
	if strings.TrimSpace(accept) == "" {
		ranges = []mediaRange{{pattern: "*/*", weight: 1000}}
	}
	var best offer
	bestWeight, bestRank := 0, 0
	for _, o := range s.offers {
		weight, rank := o.weigh(ranges)
		if weight > bestWeight || weight == bestWeight && weight > 0 && rank < bestRank {
			best, bestWeight, bestRank = o, weight, rank
		}
	}
	if bestWeight == 0 {
		return nil, "", s.noMediaType(accept)
	}
	return s.named[best.name], best.mediaType, nil
}

// offer is a media type that a registry can write.
type offer struct{ mediaType, name string }

// listOffers returns the media types in the order in which codecs are preferred:
// the default, then by registration; those set by hand last.
func (s *snapshot) listOffers() []offer {
	var out []offer
	add := func(mediaType, name string) {
		o := offer{mediaType, name}
		if s.byMedia[mediaType] == name && !slices.Contains(out, o) {
			out = append(out, o)
		}
	}
	names := s.order
	if s.first != "" {
		names = append([]string{s.first}, names...)
	}
	for _, name := range names {
		for _, m := range mediaTypes(s.byName[name]) {
			add(m, name)
		}
	}
	for _, m := range slices.Sorted(maps.Keys(s.byMedia)) {
		add(m, s.byMedia[m])
	}
	return out
}

// weigh returns the weight that a header gives the offer, 0 for none, and the
// place of the range that decided.
func (o offer) weigh(ranges []mediaRange) (weight, rank int) {
	best := -1
	for i, r := range ranges {
		if k := r.specificity(o.mediaType); k > best {
			best, weight, rank = k, r.weight, i
		}
	}
	return weight, rank
}

// mediaRange is one part of an Accept header: */*, type/* or type/subtype.
type mediaRange struct {
	pattern string
	weight  int // q in thousandths
}

// specificity is 2 if the range is the media type, 1 for type/*, 0 for */*, and
// -1 if it does not match.
func (r mediaRange) specificity(mediaType string) int {
	if r.pattern == mediaType {
		return 2
	}
	if r.pattern == "*/*" {
		return 0
	}
	if kind, ok := strings.CutSuffix(r.pattern, "*"); ok && strings.HasPrefix(mediaType, kind) {
		return 1
	}
	return -1
}

func parseAccept(accept string) []mediaRange {
	var out []mediaRange
	for part := range strings.SplitSeq(accept, ",") {
		pattern, params, _ := strings.Cut(part, ";")
		pattern = strings.ToLower(strings.TrimSpace(pattern))
		kind, sub, ok := strings.Cut(pattern, "/")
		if !ok || kind == "" || sub == "" || kind == "*" && sub != "*" || len(sub) > 1 && strings.Contains(sub, "*") {
			continue
		}
		if weight, ok := quality(params); ok {
			out = append(out, mediaRange{pattern, weight})
		}
	}
	return out
}

// quality finds q among parameters, in thousandths; 1000 if absent.
func quality(params string) (int, bool) {
	for p := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(p, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil || !(q >= 0 && q <= 1) {
				return 0, false
			}
			return int(q * 1000), true
		}
	}
	return 1000, true
}
