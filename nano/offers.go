package nano

import "github.com/zmylab/zmy/codec"

// selectMediaType returns the index of the media type among those offered that an Accept
// header prefers, -1 if it accepts none, by the rules of [codec.Registry.Negotiate].
func selectMediaType(accept string, offered []string) int {
	var reg codec.Registry
	for _, t := range offered {
		if err := reg.Register(placeholder(t)); err != nil {
			continue // twice the same
		}
	}
	c, _, err := reg.Negotiate(accept)
	if err != nil {
		return -1
	}
	for i, t := range offered {
		if t == c.Name() {
			return i
		}
	}
	return -1
}

// placeholder stands for a media type in a registry that only negotiates.
type placeholder string

func (p placeholder) Name() string                { return string(p) }
func (p placeholder) MediaTypes() []string        { return []string{string(p)} }
func (p placeholder) Marshal(any) ([]byte, error) { return nil, codec.ErrUnsupported }
func (p placeholder) Unmarshal([]byte, any) error { return codec.ErrUnsupported }
