// Package openapix checks the answers of package nano against an OpenAPI document
// (getkin/kin-openapi). An answer that breaks the published contract becomes an error of the
// server, instead of a surprise for the client.
//
//	checker, err := openapix.Load(document)
//	…
//	nano.Handle(reg, f, nano.WithChecker(checker))
//
// A codec without a schema of its own is checked with the schema of application/json: the value is
// checked as the JSON that fxjson makes of it. The elements of a stream are checked one by one,
// with the schema of application/x-ndjson. If the document has none, the schema of the items of
// application/json's array applies.
package openapix

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/nano"
)

// Checker is a [nano.Checker]. Many goroutines may use it at once.
type Checker struct {
	router  routers.Router
	options []openapi3.SchemaValidationOption
	lenient bool
}

var _ nano.Checker = (*Checker)(nil)

// Option is an option of a [Checker].
type Option func(*Checker)

// Lenient accepts operations, statuses and media types that the document does not mention. Without
// it they are violations.
func Lenient() Option { return func(c *Checker) { c.lenient = true } }

// Load reads a document in JSON or YAML and checks that it is valid. References to other files and
// addresses are refused: for these, load the document yourself and use New.
func Load(document []byte, opts ...Option) (*Checker, error) {
	doc, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		return nil, fmt.Errorf("openapix: read the document: %w", err)
	}
	return New(doc, opts...)
}

// New returns a Checker of doc. It changes doc: only the paths of server addresses remain, because
// a service does not know by which address it is reached.
func New(doc *openapi3.T, opts ...Option) (*Checker, error) {
	if err := doc.Validate(context.Background()); err != nil {
		return nil, fmt.Errorf("openapix: the document is not valid: %w", err)
	}
	for _, servers := range allServers(doc) {
		if err := keepPaths(servers); err != nil {
			return nil, err
		}
	}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		return nil, fmt.Errorf("openapix: paths of the document: %w", err)
	}
	c := &Checker{router: router, options: []openapi3.SchemaValidationOption{openapi3.VisitAsResponse()}}
	if doc.IsOpenAPI31OrLater() {
		c.options = append(c.options, openapi3.EnableJSONSchema2020())
	}
	for _, o := range opts {
		o(c)
	}
	return c, nil
}

func allServers(doc *openapi3.T) []openapi3.Servers {
	all := []openapi3.Servers{doc.Servers}
	for _, path := range doc.Paths.Map() {
		all = append(all, path.Servers)
		for _, op := range path.Operations() {
			if op.Servers != nil {
				all = append(all, *op.Servers)
			}
		}
	}
	return all
}

func keepPaths(servers openapi3.Servers) error {
	for _, s := range servers {
		if strings.ContainsRune(s.URL, '{') {
			continue // with variables: matched unchanged
		}
		u, err := url.Parse(s.URL)
		if err != nil {
			return fmt.Errorf("openapix: server %q: %w", s.URL, err)
		}
		s.URL = "/" + strings.Trim(u.Path, "/")
	}
	return nil
}

// Check implements [nano.Checker].
func (c *Checker) Check(r *http.Request, status int, mediaType string, v any, body []byte) error {
	schema, err := c.schema(r, status, mediaType)
	if err != nil || schema == nil {
		return err
	}
	value, err := asJSON(mediaType, v, body)
	if err != nil {
		return fmt.Errorf("openapix: %s %s: the answer has no form as JSON: %w", r.Method, r.URL.Path, err)
	}
	if err := schema.VisitJSON(value, c.options...); err != nil {
		return fmt.Errorf("openapix: %s %s, status %d: %w", r.Method, r.URL.Path, status, oneLine(err))
	}
	return nil
}

// oneLine shortens a schema's error to one line. The error's own text contains the schema and the
// value.
func oneLine(err error) error {
	var s *openapi3.SchemaError
	if !errors.As(err, &s) {
		return err
	}
	return fmt.Errorf("at /%s: %s", strings.Join(s.JSONPointer(), "/"), s.Reason)
}

// schema returns the schema for an answer, or nil if there is nothing to check.
func (c *Checker) schema(r *http.Request, status int, mediaType string) (*openapi3.Schema, error) {
	route, err := c.route(r)
	if err != nil {
		return c.undocumented("%s %s: %w", r.Method, r.URL.Path, err)
	}
	ref := route.Operation.Responses.Status(status)
	if ref == nil {
		ref = route.Operation.Responses.Default()
	}
	if ref == nil || ref.Value == nil {
		return c.undocumented("%s %s: status %d is not documented", r.Method, r.URL.Path, status)
	}
	schema := contentSchema(ref.Value.Content, mediaType)
	if schema == nil && len(ref.Value.Content) > 0 {
		return c.undocumented("%s %s, status %d: neither %s nor application/json is documented", r.Method, r.URL.Path, status, mediaType)
	}
	return schema, nil
}

func (c *Checker) undocumented(format string, args ...any) (*openapi3.Schema, error) {
	if c.lenient {
		return nil, nil
	}
	return nil, fmt.Errorf("openapix: "+format, args...)
}

// route returns the operation of a request. HEAD uses that of GET unless it has its own.
func (c *Checker) route(r *http.Request) (*routers.Route, error) {
	route, _, err := c.router.FindRoute(r)
	if err != nil && r.Method == http.MethodHead {
		get := *r
		get.Method = http.MethodGet
		route, _, err = c.router.FindRoute(&get)
	}
	return route, err
}

const (
	jsonType = "application/json"
	ndjson   = "application/x-ndjson"
)

func contentSchema(content openapi3.Content, mediaType string) *openapi3.Schema {
	if m := content[mediaType]; m != nil {
		return value(m.Schema)
	}
	if mediaType == ndjson || strings.HasSuffix(mediaType, "-frames") {
		if m := content[ndjson]; m != nil {
			return value(m.Schema)
		}
		if m := content[jsonType]; m != nil && value(m.Schema) != nil {
			return value(m.Schema.Value.Items)
		}
		return nil
	}
	if m := content.Get(jsonType); m != nil {
		return value(m.Schema)
	}
	return nil
}

func value(ref *openapi3.SchemaRef) *openapi3.Schema {
	if ref == nil {
		return nil
	}
	return ref.Value
}

// asJSON returns the answer as the value to which schemas apply.
func asJSON(mediaType string, v any, body []byte) (value any, err error) {
	if mediaType != jsonType && mediaType != ndjson && !strings.HasSuffix(mediaType, "+json") {
		if body, err = fxjson.Marshal(v); err != nil {
			return nil, err
		}
	}
	err = json.Unmarshal(body, &value)
	return value, err
}
