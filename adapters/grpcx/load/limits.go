package load

import (
	"fmt"
	"time"

	"github.com/zmylab/zmy/adapters/grpcx/load/msg"
)

// Limits of the axes of a Matrix.
const (
	minSize    = msg.MinSize
	maxSize    = msg.MaxSize
	maxStreams = 1000
	minWindow  = 64<<10 - 1 // gRPC ignores smaller windows
	maxWindow  = 1 << 30
	maxRTT     = 10 * time.Second
)

// maxMessage is the largest message in bytes that servers and clients send and receive.
const maxMessage = 4 * msg.MaxSize

func rangeError(what string, low, high int, of string) error {
	return fmt.Errorf("-%s: want %d to %d %s", what, low, high, of)
}
