package java

// For tests.
var (
	Camel    = camel
	Constant = constant
)

// Version is what generated code asks of the library.
const Version = version
