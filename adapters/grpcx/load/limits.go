package load

import (
	"fmt"
	"time"

	"github.com/zmylab/zmy/adapters/grpcx/load/msg"
)

// What can be measured.
const (
	minSize    = msg.MinSize
	maxSize    = msg.MaxSize
	maxStreams = 1000
	minWindow  = 64<<10 - 1 // smaller ones gRPC does not take
	maxWindow  = 1 << 30
	maxRTT     = 10 * time.Second
)

// maxMessage is what servers and clients receive.
const maxMessage = 4 * msg.MaxSize

func rangeError(what string, low, high int, of string) error {
	return fmt.Errorf("-%s: want %d to %d %s", what, low, high, of)
}
