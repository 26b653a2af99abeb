//go:build !go1.27

package broken

type number int
