package zmyvector

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmymodel"
)

// Message is a pointer to a value with generated code.
type Message interface {
	AppendZMYOptions(dst []byte, o zmy.MarshalOptions) ([]byte, error)
	UnmarshalZMYOptions(b []byte, o zmy.UnmarshalOptions) error
}

// Reader is a type as which vectors are read.
type Reader struct {
	Name   string
	New    func() Message
	Verify func(b []byte, o zmy.UnmarshalOptions) error                  // opens a view, and returns its error
	View   func(b []byte, o zmy.UnmarshalOptions) (reflect.Value, error) // opens a view
	Lazy   func(b []byte) (reflect.Value, error)                         // opens a view without verification
	Type   *zmymodel.Type
}

// reader returns the Reader of type T with its generated functions.
func reader[T, V any](view func([]byte, zmy.UnmarshalOptions) (V, error), lazy func([]byte) (V, error)) Reader {
	return Reader{
		Name:   reflect.TypeFor[T]().Name(),
		New:    func() Message { return any(new(T)).(Message) },
		Verify: func(b []byte, o zmy.UnmarshalOptions) error { _, err := view(b, o); return err },
		View: func(b []byte, o zmy.UnmarshalOptions) (reflect.Value, error) {
			v, err := view(b, o)
			return reflect.ValueOf(v), err
		},
		Lazy: func(b []byte) (reflect.Value, error) {
			v, err := lazy(b)
			return reflect.ValueOf(v), err
		},
	}
}

// Readers returns all types of messages in spec/vectors/schemas.txt, in the order of that file.
// Fuzz inputs contain indices of this list: never change the order, only append.
var Readers = sync.OnceValue(func() []Reader {
	types, err := Schemas()
	if err != nil {
		panic(err)
	}
	list := []Reader{
		reader[Scalars](ViewScalarsOptions, ViewScalarsLazy),
		reader[Lists](ViewListsOptions, ViewListsLazy),
		reader[Maps](ViewMapsOptions, ViewMapsLazy),
		reader[Optional](ViewOptionalOptions, ViewOptionalLazy),
		reader[Numbers](ViewNumbersOptions, ViewNumbersLazy),
		reader[Raw](ViewRawOptions, ViewRawLazy),
		reader[Dynamic](ViewDynamicOptions, ViewDynamicLazy),
		reader[Tree](ViewTreeOptions, ViewTreeLazy),
		reader[Cast](ViewCastOptions, ViewCastLazy),
		reader[V1](ViewV1Options, ViewV1Lazy),
		reader[V2](ViewV2Options, ViewV2Lazy),
		reader[V3](ViewV3Options, ViewV3Lazy),
		reader[Keep1](ViewKeep1Options, ViewKeep1Lazy),
		reader[Keep2](ViewKeep2Options, ViewKeep2Lazy),
		reader[Sparse1](ViewSparse1Options, ViewSparse1Lazy),
		reader[Sparse2](ViewSparse2Options, ViewSparse2Lazy),
		reader[SparseDrop](ViewSparseDropOptions, ViewSparseDropLazy),
		reader[Retired](ViewRetiredOptions, ViewRetiredLazy),
		reader[RetiredKeep](ViewRetiredKeepOptions, ViewRetiredKeepLazy),
		reader[Wide](ViewWideOptions, ViewWideLazy),
		reader[Empty](ViewEmptyOptions, ViewEmptyLazy),
		reader[Order](ViewOrderOptions, ViewOrderLazy),
		reader[Tables](ViewTablesOptions, ViewTablesLazy),
	}
	for i := range list {
		if list[i].Type = types[list[i].Name]; list[i].Type == nil {
			panic("no schema of " + list[i].Name)
		}
	}
	return list
})

// Find returns the reader called name.
func Find(name string) (Reader, bool) {
	list := Readers()
	i := slices.IndexFunc(list, func(r Reader) bool { return r.Name == name })
	if i < 0 {
		return Reader{}, false
	}
	return list[i], true
}

// Dir returns the folder spec/vectors of the repository in which this file was compiled.
func Dir() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "spec", "vectors")
}

// Schemas returns the types in spec/vectors/schemas.txt.
func Schemas() (zmymodel.Types, error) {
	text, err := os.ReadFile(filepath.Join(Dir(), "schemas.txt"))
	if err != nil {
		return nil, err
	}
	return zmymodel.Parse(strings.NewReader(string(text)))
}
