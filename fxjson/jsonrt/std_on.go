//go:build fxjson_std

package jsonrt

const stdOnly = true
