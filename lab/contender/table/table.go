// Package table lists every contender that the lab knows, in the order in which
// they are built and shown: the baseline first, then what builds fast.
package table

import "github.com/zmylab/zmy/lab/contender"

// All is the table.
func All() []contender.Info {
	return contender.Reflective()
}
