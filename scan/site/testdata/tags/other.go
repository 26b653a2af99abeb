//go:build !extra

package tags

func other() { write("other") }
