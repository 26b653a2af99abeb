// Package print is the kit with which emitters write Go source.
//
// A [File] collects lines. What is printed may be text, numbers, types of the
// IR, or identifiers of other packages; the last two are qualified as the file
// needs it, and the imports appear by themselves:
//
//	f := print.NewFile("example.org/shop", "shop")
//	f.By = "fxjson"
//	f.P("func size(v *", t, ") int { return ", print.Package("math/bits").Ident("Len64"), "(v.N) }")
//	src, err := f.Bytes()
//
// Names do not clash: an import gets another name where the package declares
// the same one, and a local name asked from [File.Local] hides neither a
// package-level name nor an import.
package print
