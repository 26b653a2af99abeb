//go:build zmydebug && !race

package poison

// On reports whether pools retire what they take back.
const On = true

func apart(f func()) { f() }
