package nano

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/zmylab/zmy/codec"
)

// This file has all places where nano chooses a codec: for a body (bodyCodec), for an answer
// (NegotiateFor, and formatBeside if the first choice has no form for the value) and for a stream
// (streams). The rules are in package codec: negotiate.go and accept.go, and registry.go for which
// codec has a media type.

// format is the codec and the media type of an answer or of a body.
type format struct {
	codec  codec.Codec
	named  codec.Codec // as the registry has it; codec is another one if a canary chose its candidate
	media  string      // in lower case and without parameters, unless raw is set
	raw    bool        // media is as the client has spelled it
	stream bool        // media is that of a stream
}

// formatOf returns the format of c, as the registry has it, for the request.
func (q *call) formatOf(c codec.Codec, media string) format {
	return format{codec: codec.WithContext(&q.ctx, c), named: c, media: media}
}

// spelled returns f with the media type in lower case and without parameters. Only errors need it.
func (f format) spelled() format {
	if f.raw {
		base, _, _ := strings.Cut(f.media, ";")
		f.media, f.raw = strings.ToLower(strings.TrimSpace(base)), false
	}
	return f
}

// Negotiate is [Exchange.NegotiateFor] for an answer of any type. Call NegotiateFor if the type is
// known: [Exchange.Reply] keeps an earlier choice, so after Negotiate the codecs that the registry
// has for the type are not preferred.
func (x *Exchange) Negotiate() error { return x.NegotiateFor(nil) }

// NegotiateFor chooses the codec and the media type of an answer of type t from the Accept header
// (RFC 9110, section 12.5.1), and adds Accept to the header Vary. It prefers the codecs that the
// registry has for t ([codec.Registry.SetType]). If nothing that is offered is acceptable, the
// error is a [Problem] of status 406 that lists the offers. A request without Accept accepts
// anything. Malformed elements are skipped; if Accept has no other elements, nothing is acceptable.
//
// The first choice of an exchange is kept: later calls change nothing.
func (x *Exchange) NegotiateFor(t reflect.Type) error {
	if x.format.codec != nil && !x.format.stream {
		return nil
	}
	x.answer.varyByAccept(x.w.Header())
	accept := x.r.Header["Accept"]
	c, media, err := x.s.reg.NegotiateFor(t, accept...)
	if err != nil {
		return notAcceptable(accept, x.s.reg.MediaTypes(), err)
	}
	x.format = x.formatOf(c, media)
	return nil
}

func notAcceptable(accept, offers []string, err error) *Problem {
	return &Problem{
		Status: http.StatusNotAcceptable, Accepts: offers, Err: err,
		Detail: fmt.Sprintf("Accept %q names nothing that is offered here", clip(strings.Join(accept, ", "))),
	}
}

// formatBeside negotiates the answer, of type t, once more without the codecs in tried. It returns
// the media types that were left to choose from, and whether Accept allows one of them.
func (x *Exchange) formatBeside(t reflect.Type, tried []format) (others []string, ok bool) {
	codecs, others := beside(x.s.reg, t, tried)
	i, err := codec.NegotiateAmong(others, x.r.Header["Accept"]...)
	if err != nil {
		return others, false
	}
	x.format = x.formatOf(codecs[i], others[i])
	return others, true
}

// beside returns the media types that reg offers for values of type t, best first, and their
// codecs, without the codecs in tried.
func beside(reg *codec.Registry, t reflect.Type, tried []format) (codecs []codec.Codec, types []string) {
	for _, m := range reg.MediaTypesFor(t) {
		c, err := reg.ByMediaTypeFor(t, m)
		if err != nil { // unregistered meanwhile
			continue
		}
		if !slices.ContainsFunc(tried, func(f format) bool { return f.named.Name() == c.Name() || f.media == m }) {
			codecs, types = append(codecs, c), append(types, m)
		}
	}
	return codecs, types
}

// bodyCodec returns the codec and the media type of the body, which becomes a value of type t. It
// does not guess a missing Content-Type, because a page of another origin can send a body without
// one, or as text/plain, without a preflight request (CORS).
func (q *call) bodyCodec(t reflect.Type) (f format, err error) {
	lines := q.r.Header["Content-Type"]
	if len(lines) > 1 {
		return f, Problemf(http.StatusBadRequest, "the request has %d fields Content-Type", len(lines))
	}
	contentType := ""
	if len(lines) == 1 {
		contentType = lines[0]
	}
	c, err := q.s.reg.ByMediaTypeFor(t, contentType)
	if err != nil {
		return f, q.unsupported(contentType, err)
	}
	_, params, _ := strings.Cut(contentType, ";")
	if name := charset(params); name != "" && !strings.EqualFold(name, "utf-8") && !strings.EqualFold(name, "us-ascii") {
		return f, Problemf(http.StatusUnsupportedMediaType, "charset %q is not supported, send UTF-8", clip(name))
	}
	f = q.formatOf(c, contentType)
	f.raw = true
	return f, nil
}

// charset returns the value of the parameter charset, "" if there is none.
func charset(params string) string {
	if params == "" {
		return ""
	}
	for p := range strings.SplitSeq(params, ";") {
		if name, value, _ := strings.Cut(p, "="); strings.EqualFold(strings.TrimSpace(name), "charset") {
			return strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return ""
}

// unsupported returns the answer to a body without a Content-Type, or with one for which there is
// no codec.
func (q *call) unsupported(contentType string, err error) *Problem {
	detail := "the request has a body and no Content-Type"
	if contentType != "" {
		detail = fmt.Sprintf("Content-Type %q is not supported", clip(contentType))
	}
	return q.sendInstead(q.s.reg.MediaTypes(), detail, err)
}

// bodyWithoutForm returns the answer to a body whose format has no form for t, the type to be read:
// a list, for instance, in a format whose messages are structs.
func (q *call) bodyWithoutForm(t reflect.Type, f format, err error) *Problem {
	_, others := beside(q.s.reg, t, []format{f})
	detail := "this request's body has no form as " + f.media
	if len(others) > 0 {
		detail += "; send another media type"
	}
	return q.sendInstead(others, detail, err)
}

// sendInstead returns a 415 that lists the media types which would be accepted: in Accept (RFC
// 9110, section 15.5.16), and for POST in Accept-Post (Linked Data Platform, section 7.1), for
// PATCH in Accept-Patch (RFC 5789, section 3.1).
func (q *call) sendInstead(accepts []string, detail string, err error) *Problem {
	p := &Problem{Status: http.StatusUnsupportedMediaType, Detail: detail, Accepts: accepts, Err: err}
	if len(accepts) == 0 {
		return p
	}
	list := strings.Join(accepts, ", ")
	p.Header = http.Header{"Accept": {list}}
	switch q.r.Method {
	case http.MethodPost:
		p.Header.Set("Accept-Post", list)
	case http.MethodPatch:
		p.Header.Set("Accept-Patch", list)
	}
	return p
}

// NegotiateStream is [Exchange.NegotiateStreamFor] for elements of any type. Call
// NegotiateStreamFor if the type is known: [ReplyStream] keeps an earlier choice.
func (x *Exchange) NegotiateStream() error { return x.NegotiateStreamFor(nil) }

// NegotiateStreamFor is [Exchange.NegotiateFor] for a stream of elements of type t. It chooses
// among the media types of streams ([StreamType]).
func (x *Exchange) NegotiateStreamFor(t reflect.Type) error {
	if x.format.stream {
		return nil
	}
	x.answer.varyByAccept(x.w.Header())
	accept := x.r.Header["Accept"]
	codecs, types := streams(x.s.reg, t)
	i, err := codec.NegotiateAmong(types, accept...)
	if err != nil {
		return notAcceptable(accept, types, err)
	}
	x.format = x.formatOf(codecs[i], types[i])
	x.format.stream = true
	return nil
}

// streams returns the media types that reg offers for streams of elements of type t, best first and
// each once, and their codecs. A nil t stands for any type.
//
// The order is the one in which reg offers media types of messages. Several codecs may have one
// media type of streams: all codecs of JSON have application/x-ndjson. That media type goes to the
// first of these codecs that also writes messages in its own media type.
func streams(reg *codec.Registry, t reflect.Type) (codecs []codec.Codec, types []string) {
	codecs, types = make([]codec.Codec, 0, 8), make([]string, 0, 8)
	add := func(c codec.Codec, err error) {
		if err != nil { // unregistered meanwhile
			return
		}
		if t := StreamType(c); !slices.Contains(types, t) {
			codecs, types = append(codecs, c), append(types, t)
		}
	}
	if c, err := reg.ForType(t); err == nil && codec.MediaType(c) == octetStream { // MediaTypesFor does not know it
		add(c, nil)
	}
	for _, m := range reg.MediaTypesFor(t) {
		if c, err := reg.ByMediaTypeFor(t, m); err == nil && codec.MediaType(c) == m {
			add(c, nil)
		}
	}
	for _, name := range reg.Names() { // codecs without a media type, or whose preferred one is another codec's
		add(reg.Lookup(name))
	}
	return codecs, types
}

// octetStream is the media type of codecs that have none.
const octetStream = "application/octet-stream"
