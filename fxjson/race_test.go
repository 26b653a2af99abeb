//go:build race

package fxjson_test

const race = true
