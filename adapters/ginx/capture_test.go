package ginx_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/zmylab/zmy/adapters/ginx"
	"github.com/zmylab/zmy/codec/capture"
)

// The middleware learns requests and answers, under the declared route, and the answer is unchanged.
func TestCapture(t *testing.T) {
	gin.SetMode(gin.ReleaseMode)
	c := capture.New(capture.Options{Rate: 1})
	r := gin.New()
	r.POST("/orders/:id", ginx.Capture(c, capture.Types{}), func(g *gin.Context) {
		var in map[string]any
		if err := g.ShouldBindJSON(&in); err != nil {
			g.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		g.JSON(http.StatusOK, in)
	})
	for _, body := range []string{`{"secret":"value"}`, `{"secret":`} {
		req := httptest.NewRequest("POST", "/orders/secret", strings.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		r.ServeHTTP(w, req)
		if ok := w.Code == http.StatusOK; ok != strings.HasSuffix(body, "}") || ok && w.Body.String() != body {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
	f := c.Fit()
	for _, name := range []string{"POST /orders/:id request", "POST /orders/:id response"} {
		if s := f.Subject(name); s == nil || s.Documents != 1 {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if text, err := f.Marshal(); err != nil || strings.Contains(string(text), "secret") {
		t.Errorf("%v: %s", err, text)
	}
}
