// Package check decides every fact about an output before a byte of it is
// written: names, order, numbers, what is carried and what is refused. Emitters
// only spell what a plan says.
package check
