package java

// For tests.
var (
	Camel    = camel
	Constant = constant
)
