// The program behind the table: semantics LIBRARY prints the results of all cases as a JSON array,
// semantics LIBRARY N the result of case N as it is, and semantics names the names of the cases.
package main

import (
	stdjson "encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"

	"github.com/bytedance/sonic"
	goccy "github.com/goccy/go-json"
	jsoniter "github.com/json-iterator/go"
	"github.com/mailru/easyjson"
	"github.com/zmylab/zmy/fxjson"

	"zmylab.invalid/semantics/easy"
	"zmylab.invalid/semantics/fx"
	"zmylab.invalid/semantics/plain"
)

// easyMarshal panics for types without generated code, for which easyjson writes code that does not
// compile. See own.go.
func easyMarshal(v any) ([]byte, error) {
	m, ok := v.(easyjson.Marshaler)
	if !ok {
		panic("does not compile")
	}
	return easyjson.Marshal(m)
}

func easyUnmarshal(b []byte, v any) error { return easyjson.Unmarshal(b, v.(easyjson.Unmarshaler)) }

func goccyUnmarshal(b []byte, v any) error { return goccy.Unmarshal(b, v) }

// run has the cases as one library runs them.
type run struct {
	name   string
	n      int
	deadly func(i int) bool
	do     func(i int) string
}

func library(name string) run {
	std := func(l plain.Library) run {
		all := plain.All()
		return run{name, len(all), func(i int) bool { return all[i].Deadly }, func(i int) string { return all[i].Do(l) }}
	}
	iter := jsoniter.ConfigCompatibleWithStandardLibrary
	switch name {
	case "encoding/json":
		return std(plain.Library{stdjson.Marshal, stdjson.Unmarshal})
	case "goccy":
		return std(plain.Library{goccy.Marshal, goccyUnmarshal})
	case "sonic":
		return std(plain.Library{sonic.ConfigStd.Marshal, sonic.ConfigStd.Unmarshal})
	case "jsoniter":
		return std(plain.Library{iter.Marshal, iter.Unmarshal})
	case "easyjson":
		all, l := easy.All(), easy.Library{easyMarshal, easyUnmarshal}
		return run{name, len(all), func(i int) bool { return all[i].Deadly }, func(i int) string { return all[i].Do(l) }}
	case "fxjson":
		all, l := fx.All(), fx.Library{fxjson.Marshal, fxjson.Unmarshal}
		return run{name, len(all), func(i int) bool { return all[i].Deadly }, func(i int) string { return all[i].Do(l) }}
	}
	panic("no library " + name)
}

func main() {
	if os.Args[1] == "names" {
		for _, c := range plain.All() {
			fmt.Println(c.Name)
		}
		return
	}
	r := library(os.Args[1])
	if len(os.Args) > 2 {
		i, _ := strconv.Atoi(os.Args[2])
		fmt.Print(r.do(i))
		return
	}
	out := make([]string, r.n)
	for i := range out {
		out[i] = r.result(i)
	}
	stdjson.NewEncoder(os.Stdout).Encode(out)
}

func (r run) result(i int) (s string) {
	defer func() {
		switch e := recover(); {
		case e == "does not compile":
			s = "does not compile"
		case e != nil:
			s = "panic"
		}
	}()
	if !r.deadly(i) {
		return r.do(i)
	}
	out, err := exec.Command(os.Args[0], r.name, strconv.Itoa(i)).Output()
	if err != nil {
		return "the program dies"
	}
	return string(out)
}
