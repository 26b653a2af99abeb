//go:build !unix

package load

import "time"

func processTime() (cpu time.Duration, voluntary, involuntary int64) { return 0, 0, 0 }

func residentBytes() int64 { return 0 }
