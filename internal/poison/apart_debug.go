//go:build zmydebug && !race

package poison

// On reports whether pools overwrite the memory that they take back.
const On = true

func apart(f func()) { f() }
