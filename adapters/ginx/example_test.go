package ginx_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/zmylab/zmy/adapters/ginx"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/nano"
)

// One function serves every codec of the registry, under Gin's routes.
func ExampleHandle() {
	type order struct {
		Item  string `json:"item" binding:"required"`
		Count int    `json:"count"`
	}
	api := nano.NewService(codec.NewRegistry(codec.FXJSON{}, codec.Gob{}))

	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.POST("/orders", ginx.Handle(api, func(_ context.Context, in order) (order, error) {
		in.Count++
		return in, nil
	}))

	for _, body := range []string{`{"item":"nut","count":1}`, `{"count":1}`} {
		req := httptest.NewRequest(http.MethodPost, "/orders", strings.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		r.ServeHTTP(w, req)
		fmt.Println(w.Code, w.Header().Get("Content-Type"))
	}
	// Output:
	// 200 application/json
	// 400 application/problem+json
}
