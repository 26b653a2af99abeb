// Package onewaytypes has types with code for one direction.
package onewaytypes

type (
	// Out has code that encodes.
	Out struct {
		A int    `json:"a"`
		B []Part `json:"b,omitempty"`
	}

	// In has code that decodes.
	In struct {
		A int    `json:"a"`
		B []Part `json:"b,omitempty"`
	}

	// Part is inside both.
	Part struct {
		C string `json:"c"`
	}
)
