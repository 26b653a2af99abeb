//go:build ignore

// Package adapter makes a contender of encoding/json/v2 with its own options, as Go 1.27 has it.
package adapter

import (
	"github.com/zmylab/zmy/lab/worker"

	"zmylab.invalid/contender/jsonv2"
)

// New returns the contender for T.
func New[T any]() worker.Contender[T] { return jsonv2.New[T]() }
