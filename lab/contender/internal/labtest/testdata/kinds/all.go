package kinds

import "math/rand/v2"

// All has every kind of type that all codecs carry. One subject for all kinds needs only one build.
type All struct {
	S Scalars
	L Lists
	P Pointers
	K Known
	E Embedded
}

// SampleAll draws one.
func SampleAll(r *rand.Rand) All {
	return All{SampleScalars(r), SampleLists(r), SamplePointers(r), SampleKnown(r), SampleEmbedded(r)}
}
