// Package broken does not build from Go 1.27 on.
package broken

// Order has a field of a type that only older toolchains declare; see old.go.
type Order struct{ N number }
