//go:build extra

package tags

func extra() { write(1) }
