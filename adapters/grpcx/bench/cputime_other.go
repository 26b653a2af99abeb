//go:build !unix

package main

import "time"

func processTime() (time.Duration, bool) { return 0, false }
