package in

// T is old.
//
// Deprecated: use U.
type T struct {
	A int32  `zmy:"0"`
	S string `zmy:"1,deprecated"`
}
