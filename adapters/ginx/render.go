package ginx

import (
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/gin-gonic/gin/binding"
	"github.com/gin-gonic/gin/render"

	"github.com/zmylab/zmy/codec"
)

// Render writes Data with Codec. It implements Gin's interface for rendering:
//
//	c.Render(http.StatusOK, ginx.Render{Codec: codec.ZMY{}, Data: order})
type Render struct {
	Codec codec.Codec
	Data  any
	Pool  *codec.Pool // pool of buffers; if nil, each message is marshalled into new memory
}

var _ render.Render = Render{}

// Render marshals the whole message before it writes the first byte. If it returns an error of the
// codec, nothing was written. Gin (1.12) records the error and leaves the status 200 that c.Render
// has set, so the handler should abort with another status.
func (r Render) Render(w http.ResponseWriter) error {
	if r.Pool == nil {
		b, err := r.Codec.Marshal(r.Data)
		return r.write(w, b, err)
	}
	buf, err := codec.MarshalPooled(r.Codec, r.Pool, r.Data)
	if err != nil {
		return err
	}
	defer buf.Release()
	return r.write(w, buf.B, nil)
}

func (r Render) write(w http.ResponseWriter, b []byte, err error) error {
	if err != nil {
		return err
	}
	r.WriteContentType(w)
	_, err = w.Write(b)
	return err
}

// WriteContentType sets the codec's media type, unless the handler has set a Content-Type.
func (r Render) WriteContentType(w http.ResponseWriter) {
	if h := w.Header(); len(h["Content-Type"]) == 0 {
		h["Content-Type"] = []string{codec.MediaType(r.Codec)}
	}
}

// Binding returns a binding for Gin that reads bodies with c and validates the values. A body of
// more than limit bytes is an error that wraps [codec.ErrTooLarge].
//
//	err := c.ShouldBindWith(&order, ginx.Binding(codec.ZMY{}, 1<<20))
func Binding(c codec.Codec, limit int64) binding.BindingBody { return bodyBinding{c, limit} }

type bodyBinding struct {
	codec codec.Codec
	limit int64
}

func (b bodyBinding) Name() string { return b.codec.Name() }

func (b bodyBinding) Bind(r *http.Request, v any) error {
	if r == nil || r.Body == nil {
		return errors.New("ginx: the request has no body")
	}
	if r.ContentLength > b.limit {
		return b.tooLarge()
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, b.limit+1))
	if err != nil {
		return fmt.Errorf("ginx: read the body: %w", err)
	}
	return b.BindBody(body, v)
}

func (b bodyBinding) BindBody(body []byte, v any) error {
	if int64(len(body)) > b.limit {
		return b.tooLarge()
	}
	if err := b.codec.Unmarshal(body, v); err != nil {
		return err
	}
	return validate(v)
}

func (b bodyBinding) tooLarge() error {
	return fmt.Errorf("ginx: the body: %w: more than %d bytes", codec.ErrTooLarge, b.limit)
}
