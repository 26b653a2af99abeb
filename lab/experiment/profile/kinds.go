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
		switch {
		case pkg == "reflect" || pkg == "internal/reflectlite" || pkg == "internal/abi":
			return kindReflect
		case pkg == "strconv" || strings.HasPrefix(pkg, "internal/strconv") || pkg == "math/big":
			return kindNumber
		case pkg == "time":
			return kindTime
		case pkg == "internal/runtime/maps" || pkg == "maps" || pkg == "runtime" && strings.HasPrefix(name, "map"):
			return kindMap
		case pkg == "sort" || pkg == "slices":
			return kindSort
		case pkg == "encoding/base64" || pkg == "encoding/hex":
			return kindBinary
		case pkg == "fmt":
			return kindFormat
		case pkg == "sync" || pkg == "sync/atomic" || pkg == "internal/sync":
			return kindLock
		case pkg == "unicode/utf8" || pkg == "unicode" || pkg == "strings" || pkg == "bytes" || pkg == "internal/bytealg" ||
			pkg == "unicode/utf16":
			return kindText
		case pkg == "runtime" && (strings.HasPrefix(name, "memmove") || strings.HasPrefix(name, "memclr") ||
			strings.HasPrefix(name, "typedmem") ||
			strings.HasPrefix(name, "duff") || strings.HasPrefix(name, "wbZero") || strings.HasPrefix(name, "wbMove") ||
			strings.HasPrefix(name, "bulkBarrier")):
			return kindCopy
		case pkg == "runtime" && (strings.HasPrefix(name, "conv") || strings.HasPrefix(name, "assert") || strings.HasPrefix(name, "typeAssert") ||
			strings.HasPrefix(name, "getitab") || strings.HasPrefix(name, "ifaceeq") || strings.HasPrefix(name, "efaceeq") ||
			strings.HasPrefix(name, "interfaceSwitch")):
			return kindIface
		case pkg == "runtime" && (strings.HasPrefix(name, "memequal") || strings.HasPrefix(name, "cmpstring") ||
			strings.HasPrefix(name, "intstring") ||
			strings.HasPrefix(name, "decoderune") || strings.HasPrefix(name, "countrunes")):
			return kindText
		case strings.HasPrefix(pkg, "runtime") || strings.HasPrefix(pkg, "internal/runtime") || pkg == "syscall" ||
			pkg == "aeshashbody" || pkg == "":
			continue // its caller says more
		}
		return kindOwn
	}
	return kindSched
}

// asks returns the function nearest to the leaf of a stack that is not part of the runtime.
func asks(full []string) string {
	for _, f := range slices.Backward(full) {
		if pkg, _ := parts(f); pkg != "" && pkg != "runtime" && !strings.HasPrefix(pkg, "internal/") {
			return f
		}
	}
	return ""
}

// hook returns the first function on a stack that looks like a method of the user's type which
// codecs call, such as MarshalJSON. It goes by names and packages, and skips the standard library.
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

// parts splits a function's full name into its package's path and the rest.
func parts(f string) (pkg, name string) {
	slash := strings.LastIndexByte(f[:strings.IndexByte(f+"[", '[')], '/') + 1
	dot := strings.IndexByte(f[slash:], '.')
	if dot < 0 {
		return "", f
	}
	return f[:slash+dot], f[slash+dot+1:]
}

func isCollector(f string) bool {
	switch name, ok := strings.CutPrefix(f, "runtime."); {
	case !ok:
		return false
	default:
		return strings.HasPrefix(name, "gcBgMarkWorker") || strings.HasPrefix(name, "gcAssist") || strings.HasPrefix(name, "bgsweep") ||
			strings.HasPrefix(name, "bgscavenge") || strings.HasPrefix(name, "gcStart") || strings.HasPrefix(name, "gcDrain") ||
			strings.HasPrefix(name, "gcMark") || strings.HasPrefix(name, "deductSweepCredit") ||
			strings.HasPrefix(name, "gcWriteBarrier") || strings.HasPrefix(name, "wbBufFlush")
	}
}

func isAllocator(f string) bool {
	switch f {
	case "runtime.newobject", "runtime.makeslice", "runtime.growslice", "runtime.makeslicecopy", "runtime.rawstring", "runtime.rawbyteslice",
		"runtime.slicebytetostring", "runtime.stringtoslicebyte", "runtime.concatstrings", "reflect.unsafe_New", "reflect.unsafe_NewArray":
		return true
	}
	return strings.HasPrefix(f, "runtime.mallocgc")
}
