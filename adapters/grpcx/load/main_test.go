package load

import (
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if err := Register(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	code := m.Run()
	if code == 0 {
		err := goleak.Find()
		for end := time.Now().Add(time.Minute); err != nil && time.Now().Before(end); err = goleak.Find() {
			time.Sleep(10 * time.Millisecond) // a busy machine takes its time to end what is over
		}
		if err != nil {
			fmt.Println(err)
			code = 1
		}
	}
	os.Exit(code)
}
