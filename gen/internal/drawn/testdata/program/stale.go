package main

import "github.com/zmylab/zmy/fxjson"

// stale is the number of types whose generated code was not used.
func stale() int { return len(fxjson.Stale()) }
