package load

import (
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/zmylab/zmy/internal/patience"
)

func TestMain(m *testing.M) {
	if err := Register(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	code := m.Run()
	if code == 0 {
		var err error
		if !patience.Wait(time.Minute, func() bool { err = goleak.Find(); return err == nil }) {
			fmt.Println(err)
			code = 1
		}
	}
	os.Exit(code)
}
