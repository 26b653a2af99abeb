//go:build ignore

// Package adapter makes a contender of encoding/json, the baseline of every table.
package adapter

import (
	"github.com/zmylab/zmy/lab/worker"

	"zmylab.invalid/contender/stdjson"
)

// New returns the contender for T.
func New[T any]() worker.Contender[T] { return stdjson.New[T]() }
