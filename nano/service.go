package nano

import (
	"net/http"
	"strings"
	"time"

	"github.com/zmylab/zmy/codec"
)

// Service is a registry and the settings under which exchanges take place. It never
// changes and serves any number of goroutines and handlers.
type Service struct {
	reg   *codec.Registry
	slow  *pacer // of what is logged about slow encodings
	watch *watch // over bodies that are being read
	settings
	counts counts
}

// NewService returns a Service. Handlers that share one also share what its options carry.
func NewService(reg *codec.Registry, opts ...Option) *Service {
	s := &Service{reg: reg, slow: newPacer(), settings: defaults()}
	for _, o := range opts {
		o(&s.settings)
	}
	s.watch = newWatch(s.readIdle, s.readTotal)
	return s
}

// Begin starts an exchange. It reads and writes nothing yet. The caller ends it with
// [Exchange.End]; [Run] and [RunStream] do all of that themselves.
func (s *Service) Begin(w http.ResponseWriter, r *http.Request) *Exchange {
	x := &Exchange{s: s, w: w, r: r}
	if h := w.Header(); len(h) > 0 {
		x.coded = h["Content-Encoding"] != nil
	}
	if s.budget != nil {
		x.started = time.Now()
	}
	x.ctx = exchangeContext{r.Context(), x}
	if s.keyOf != nil {
		x.key = s.keyOf(r)
	}
	return x
}

// varyByAccept adds Accept to the fields by which the answer varies, unless it is there.
func (x *Exchange) varyByAccept() {
	h := x.w.Header()
	lines := h["Vary"]
	if len(lines) == 0 {
		h["Vary"] = x.field(fieldVary, "Accept")
		return
	}
	for _, line := range lines {
		for name := range strings.SplitSeq(line, ",") {
			if name = strings.TrimSpace(name); name == "*" || strings.EqualFold(name, "Accept") {
				return
			}
		}
	}
	h.Add("Vary", "Accept")
}
