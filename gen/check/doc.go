// Package check decides every fact about an output before it is written: names, order, numbers,
// what is carried and what is refused. Emitters only print what a plan says.
package check
