package protobuf

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

func TestExamples(t *testing.T) {
	for _, s := range []labtest.Subject{{Dir: "examples/result", Type: "Result"}, {Dir: "examples/order", Type: "Order"}} {
		for _, info := range []contender.Info{Info, NativeInfo, VTInfo, VTNativeInfo} {
			t.Run(s.Type+"/"+info.Name, func(t *testing.T) {
				r := labtest.Run(t, info, &s)
				t.Logf("%+v", *r)
			})
		}
	}
}
