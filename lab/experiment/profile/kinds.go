package profile

import (
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/plan"
)

// The kinds of work. Each stack counts towards one of them.
const (
	kindAlloc   = "allocating"
	kindGC      = "collecting garbage"
	kindReflect = "reflection"
	kindNumber  = "numbers to text and back"
	kindTime    = "times to text and back"
	kindMap     = "maps"
	kindSort    = "sorting"
	kindCopy    = "copying memory"
	kindText    = "text and UTF-8"
	kindBinary  = "base64 and hex"
	kindFormat  = "package fmt"
	kindLock    = "locks and pools"
	kindIface   = "interfaces"
	kindSched   = "scheduler and system"
	kindOwn     = "the codec itself"
)

// kinds lists all kinds in the order of the reports.
var kinds = []string{kindOwn, kindReflect, kindNumber, kindTime, kindText, kindBinary, kindMap, kindSort, kindIface, kindFormat,
	kindLock, kindCopy, kindAlloc, kindGC, kindSched}

// packages are the kinds of work of the standard library's packages.
var packages = map[string]string{
	"reflect": kindReflect, "internal/reflectlite": kindReflect, "internal/abi": kindReflect,
	"strconv": kindNumber, "internal/strconv": kindNumber, "math/big": kindNumber,
	"time":                  kindTime,
	"internal/runtime/maps": kindMap, "maps": kindMap,
	"sort": kindSort, "slices": kindSort,
	"encoding/base64": kindBinary, "encoding/hex": kindBinary,
	"fmt":  kindFormat,
	"sync": kindLock, "sync/atomic": kindLock, "internal/sync": kindLock,
	"unicode/utf8": kindText, "unicode/utf16": kindText, "unicode": kindText, "strings": kindText, "bytes": kindText,
	"internal/bytealg": kindText,
}

// internals has, for each kind of work, prefixes of the names of runtime functions that do it. The
// compiler inserts calls of these functions, so they do not show who caused the work. A name has
// prefixes of one kind only.
var internals = map[string][]string{
	kindMap:  {"map"},
	kindCopy: {"memmove", "memclr", "typedmem", "duff", "wbZero", "wbMove", "bulkBarrier"},
	kindIface: {"conv", "assert", "typeAssert", "getitab", "ifaceeq", "efaceeq",
		"interfaceSwitch"},
	kindText: {"memequal", "cmpstring", "intstring", "decoderune", "countrunes"},
	kindGC: {"gcBgMarkWorker", "gcAssist", "bgsweep", "bgscavenge", "gcStart", "gcDrain", "gcMark", "deductSweepCredit", "gcWriteBarrier",
		"wbBufFlush"},
}

// internal reports whether a function of package runtime does a kind of work.
func internal(name, kind string) bool {
	return slices.ContainsFunc(internals[kind], func(begin string) bool { return strings.HasPrefix(name, begin) })
}

// kindOf returns the kind of work of a stack, whose first element is the root. Any frame of the
// stack can make it count as allocation or collection. The other kinds go by the function nearest
// to the leaf that belongs to a kind. So copying memory for a growing list counts as allocating,
// and strconv's own helpers count as numbers.
func kindOf(full []string) string {
	switch {
	case slices.ContainsFunc(full, isCollector):
		return kindGC
	case slices.ContainsFunc(full, isAllocator):
		return kindAlloc
	}
	for _, f := range slices.Backward(full) {
		pkg, name := parts(f)
		if k := packages[pkg]; k != "" {
			return k
		}
		for k := range internals {
			if pkg == "runtime" && internal(name, k) {
				return k
			}
		}
		if strings.HasPrefix(pkg, "runtime") || strings.HasPrefix(pkg, "internal/runtime") || pkg == "syscall" || pkg == "aeshashbody" ||
			pkg == "" {
			continue // its caller says more
		}
		return kindOwn
	}
	return kindSched
}

// asks returns the innermost function of a stack that belongs neither to package runtime nor to one
// of the standard library's internal packages.
func asks(full []string) string {
	for _, f := range slices.Backward(full) {
		if pkg, _ := parts(f); pkg != "" && pkg != "runtime" && !strings.HasPrefix(pkg, "internal/") {
			return f
		}
	}
	return ""
}

// hook returns the outermost function of a stack that looks like the user's own marshal method,
// such as MarshalJSON. It goes by names and packages, and skips the standard library and the
// contender's module.
func hook(full []string) string {
	for _, f := range full {
		pkg, name := parts(f)
		first, _, _ := strings.Cut(pkg, "/")
		m := name[strings.LastIndexByte(name, '.')+1:]
		ours := strings.Contains(name, ".") && (plan.Hooks("json", m) || plan.Hooks("binary", m))
		if ours && (strings.Contains(first, ".") || pkg == "main") && !strings.HasPrefix(pkg, contender.ModulePath) {
			return f
		}
	}
	return ""
}

// parts splits a function's full name into its package's path and the rest. Type arguments may
// contain slashes and dots, so only what stands before the first bracket is searched.
func parts(f string) (pkg, name string) {
	slash := strings.LastIndexByte(f[:strings.IndexByte(f+"[", '[')], '/') + 1
	dot := strings.IndexByte(f[slash:], '.')
	if dot < 0 {
		return "", f
	}
	return f[:slash+dot], f[slash+dot+1:]
}

func isCollector(f string) bool {
	name, ok := strings.CutPrefix(f, "runtime.")
	return ok && internal(name, kindGC)
}

func isAllocator(f string) bool {
	switch f {
	case "runtime.newobject", "runtime.makeslice", "runtime.growslice", "runtime.makeslicecopy", "runtime.rawstring", "runtime.rawbyteslice",
		"runtime.slicebytetostring", "runtime.stringtoslicebyte", "runtime.concatstrings", "reflect.unsafe_New", "reflect.unsafe_NewArray":
		return true
	}
	return strings.HasPrefix(f, "runtime.mallocgc")
}
