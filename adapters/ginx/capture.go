package ginx

import (
	"github.com/gin-gonic/gin"

	"github.com/zmylab/zmy/codec/capture"
)

// Capture returns middleware that lets c look at the JSON bodies of requests and of answers with
// status 2xx; see [capture.Capture.Bodies]. Without types the subject is the method and the path of
// the route, as it was declared.
func Capture(c *capture.Capture, t capture.Types) gin.HandlerFunc {
	return func(g *gin.Context) {
		x := c.Exchange(g.Request, t)
		if x == nil {
			g.Next()
			return
		}
		g.Writer = &captured{g.Writer, x}
		g.Next()
		pattern := g.FullPath()
		if pattern != "" {
			pattern = g.Request.Method + " " + pattern
		}
		x.Done(pattern, g.Writer.Status(), g.Writer.Header())
	}
}

// captured records what is answered.
type captured struct {
	gin.ResponseWriter
	x *capture.Exchange
}

func (w *captured) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	w.x.Write(p[:n])
	return n, err
}

func (w *captured) WriteString(s string) (int, error) {
	n, err := w.ResponseWriter.WriteString(s)
	w.x.Write([]byte(s[:n]))
	return n, err
}
