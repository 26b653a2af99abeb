package nano

import (
	"slices"

	"github.com/zmylab/zmy/codec"
)

// offers are the media types of streams as a registry that only negotiates, and the codecs that
// stand behind them.
type offers struct {
	reg    *codec.Registry
	types  []string
	codecs []codec.Codec
}

// streamOffers returns the offers of the codecs as they are registered now.
func (s *Service) streamOffers() offers {
	o := offers{}
	o.codecs, o.types = streams(s.reg)
	if known := s.offered.Load(); known != nil && slices.Equal(known.types, o.types) {
		o.reg = known.reg
		return o
	}
	o.reg = new(codec.Registry)
	for _, t := range o.types {
		if err := o.reg.Register(placeholder(t)); err != nil {
			panic(err) // the types differ
		}
	}
	s.offered.Store(&offers{reg: o.reg, types: o.types}) // the codecs may be exchanged
	return o
}

// placeholder stands for a media type in a registry that only negotiates.
type placeholder string

func (p placeholder) Name() string                { return string(p) }
func (p placeholder) MediaTypes() []string        { return []string{string(p)} }
func (p placeholder) Marshal(any) ([]byte, error) { return nil, codec.ErrUnsupported }
func (p placeholder) Unmarshal([]byte, any) error { return codec.ErrUnsupported }
