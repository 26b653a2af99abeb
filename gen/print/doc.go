// Package print helps emitters to write Go source.
//
// A [File] collects lines. They consist of text, numbers, types of the IR and identifiers of other
// packages. Types and identifiers get the qualifier that the file needs, and the imports are added
// automatically:
//
//	f := print.NewFile("example.org/shop", "shop")
//	f.By = "fxjson"
//	f.P("func size(v *", t, ") int { return ", print.Package("math/bits").Ident("Len64"), "(v.N) }")
//	src, err := f.Bytes()
//
// Names do not clash. If the package declares an import's name, the import gets another name. A
// local name from [File.Local] does not shadow a package-level name or an import.
package print
