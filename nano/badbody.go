package nano

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/fxjson"
)

// badBody says where and why a body is not a message of the media type, in words of the format:
// names of Go types and texts of unknown errors stay here.
func (x *Exchange) badBody(media string, err error) error {
	var own *Problem
	if errors.As(err, &own) { // of a type's own method
		return own
	}
	switch class := codec.ClassOf(err); {
	case class == codec.ClassLimit:
		return &Problem{Status: http.StatusRequestEntityTooLarge, Detail: "the message is larger or deeper than the codec's limits", Err: err}
	case class == codec.ClassPanic: // of a codec that is guarded: the server's fault
		return &Problem{Status: http.StatusInternalServerError, Err: err}
	case class == codec.ClassUnsupported && !isJSON(media): // the type that is read has no form in it
		return x.unsupported(media, err)
	}
	p := &Problem{Status: http.StatusBadRequest, Detail: "the body is not valid " + media, Err: err}
	var (
		syntax    *json.SyntaxError
		malformed *fxjson.MalformedError
		kind      *json.UnmarshalTypeError
		native    *zmy.DecodeError
	)
	switch {
	case errors.As(err, &syntax):
		p.Detail += ": " + strings.TrimPrefix(syntax.Error(), "json: ")
		p.at(syntax.Offset)
	case errors.As(err, &malformed):
		p.Detail += ": malformed"
		p.at(malformed.Offset)
	case errors.As(err, &kind):
		p.Detail = fmt.Sprintf("a JSON %s does not fit here", clip(kind.Value))
		p.Path = kind.Field
		p.at(kind.Offset)
	case errors.As(err, &native):
		p.Detail += ": " + native.Err.Error()
		p.Path = native.Path
		p.at(int64(native.Offset))
		if errors.Is(err, zmy.ErrMethod) { // the text of a method, which may say anything
			p.Detail = "the body has a value that is refused"
		}
	case errors.Is(err, io.ErrUnexpectedEOF):
		p.Detail += ": it ends too early"
	}
	return p
}

func (p *Problem) at(offset int64) { p.Offset = &offset }
