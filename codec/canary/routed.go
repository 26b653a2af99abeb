package canary

import (
	"context"
	"fmt"
	"io"

	"github.com/zmylab/zmy/codec"
)

// Routed returns one codec in front of both arms, with the name of the incumbent. Register it in
// place of the incumbent. [codec.WithContext] returns the codec of the arm that
// [Canary.WithRequest] has chosen. Without such a context each operation draws an arm by the
// present share.
//
// Routed panics if the arms have different media types, which is a mistake in the program: the code
// that labels or stores the bytes must then know the arm, see [Canary.Codec].
func (c *Canary) Routed() codec.Codec {
	in, ca := codec.MediaType(c.codecs[Incumbent]), codec.MediaType(c.codecs[Candidate])
	if in != ca {
		panic(fmt.Errorf("canary %s: Routed: the incumbent writes %s, the candidate %s; choose an arm and use its Codec and media type",
			c.opt.Name, in, ca))
	}
	return &routed{c}
}

type routed struct{ c *Canary }

func (r *routed) Name() string        { return r.c.codecs[Incumbent].Name() }
func (r *routed) Unwrap() codec.Codec { return r.c.arm[Incumbent] }
func (r *routed) Powers() any         { return (*routedPowers)(r) }

func (r *routed) WithContext(ctx context.Context) codec.Codec {
	a, ok := r.c.FromContext(ctx)
	if !ok {
		a = r.c.Choose("", "")
	}
	return r.c.arm[a].WithContext(ctx)
}

// draw returns the codec of an arm that is drawn by the present share.
func (r *routed) draw() codec.Codec { return r.c.arm[r.c.Choose("", "")] }

func (r *routed) Marshal(v any) ([]byte, error)   { return r.draw().Marshal(v) }
func (r *routed) Unmarshal(b []byte, v any) error { return r.draw().Unmarshal(b, v) }

// routedPowers is a routed codec with the incumbent's powers. If the candidate is not Stable or not
// a Streamer, the incumbent does those operations. For the other powers, package codec has
// functions that do without them.
type routedPowers routed

func drawAs[P any](c *routedPowers) P {
	if p, ok := codec.As[P]((*routed)(c).draw()); ok {
		return p
	}
	p, _ := codec.As[P](c.c.arm[Incumbent])
	return p
}

func (c *routedPowers) AppendMarshal(dst []byte, v any) ([]byte, error) {
	return codec.Append((*routed)(c).draw(), dst, v)
}

func (c *routedPowers) MarshalPooled(p *codec.Pool, v any) (*codec.Buffer, error) {
	return codec.MarshalPooled((*routed)(c).draw(), p, v)
}

func (c *routedPowers) UnmarshalView(b []byte, v any) error {
	return codec.UnmarshalView((*routed)(c).draw(), b, v)
}

func (c *routedPowers) MarshalStable(v any) ([]byte, error) {
	return drawAs[codec.Stable](c).MarshalStable(v)
}

func (c *routedPowers) NewEncoder(w io.Writer) codec.Encoder {
	return drawAs[codec.Streamer](c).NewEncoder(w)
}

func (c *routedPowers) NewDecoder(r io.Reader) codec.Decoder {
	return drawAs[codec.Streamer](c).NewDecoder(r)
}

// MediaTypes returns the incumbent's media types. A registry lists them once, so they must not
// depend on the arm that is drawn.
func (c *routedPowers) MediaTypes() []string {
	m, _ := codec.As[codec.MediaTyped](c.c.arm[Incumbent])
	return m.MediaTypes()
}
