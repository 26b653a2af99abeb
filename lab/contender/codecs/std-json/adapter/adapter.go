//go:build ignore

// Package adapter binds encoding/json, the baseline of every table.
package adapter

import (
	"github.com/zmylab/zmy/lab/worker"

	"zmylab.invalid/contender/stdjson"
)

// New binds the codec to T.
func New[T any]() worker.Contender[T] { return stdjson.New[T]("std-json") }
