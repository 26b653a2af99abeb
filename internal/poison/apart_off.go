//go:build !zmydebug && !race

package poison

// On reports whether pools retire what they take back.
const On = false

func apart(f func()) { f() }
