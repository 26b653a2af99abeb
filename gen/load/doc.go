// Package load turns a Go package on disk into the neutral description of
// package ir.
//
// It asks the go command which files make up the package and what it imports,
// then checks the types itself. Two things set it apart from a plain check:
//
//   - Bodies of functions do not count. Code that calls methods not generated
//     yet loads as well as code that compiles, and packages imported only by
//     bodies are never read, so that loading stays fast.
//   - Files that generators of this project wrote are out of sight: a type's
//     hooks are those its author wrote, and stale output never stands in the
//     way of its own renewal.
package load
