//go:build ignore

// Package adapter binds encoding/json where the build has GOEXPERIMENT=jsonv2: its
// functions then stand on version 2.
package adapter

import (
	"github.com/zmylab/zmy/lab/worker"

	"zmylab.invalid/contender/stdjson"
)

// New binds the codec to T.
func New[T any]() worker.Contender[T] { return stdjson.New[T]("json-v2-std") }
