//go:build !unix

package load

import "time"

func processTime() time.Duration { return 0 }
