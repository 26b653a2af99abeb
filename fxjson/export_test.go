package fxjson

// GetWithin is getWithin for tests.
var GetWithin = getWithin
