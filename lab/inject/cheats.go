package inject

import (
	"context"
	"fmt"
	"strings"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// CheatType is the name of the type that cheats encode.
const CheatType = "Doc"

// CheatSubject returns the files of its module. Note is so rare that a few hundred values do not
// have it.
func CheatSubject() map[string]string {
	return map[string]string{
		"go.mod": "module example.com/subject\n\ngo 1.24\n",
		"doc.go": `package subject

import (
	"math/rand/v2"
	"strings"
	"time"
)

type Doc struct {
	ID     string
	Count  int64
	Ratio  float64
	Items  []Line
	Labels map[string]string
	Note   string
	Placed time.Time
	Origin *Line
}

type Line struct {
	Sku   string
	Price float64
	Qty   int
}

func word(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('a' + r.IntN(26))
	}
	return string(b)
}

func SampleDoc(r *rand.Rand) Doc {
	d := Doc{ID: word(r, 16), Count: 2 + r.Int64N(1<<40), Ratio: 1 + float64(r.IntN(1000000))/64,
		Labels: map[string]string{"region": word(r, 6), "tier": word(r, 4)},
		Placed: time.Unix(1700000000+r.Int64N(1<<24), 0).UTC(), Origin: &Line{Sku: word(r, 8), Price: 2.5, Qty: 3}}
	for range 4 + r.IntN(4) {
		d.Items = append(d.Items, Line{Sku: word(r, 10), Price: 1 + float64(r.IntN(10000))/4, Qty: 2 + r.IntN(90)})
	}
	if r.IntN(100000) == 0 {
		d.Note = strings.ToUpper(word(r, 20))
	}
	return d
}
`}
}

// cheat is what a contender consists of: Go declarations; the bodies of its functions, which can
// use v *Doc and b []byte; and its family, where "" means "json".
type cheat struct {
	decl, encode, decode, family string
}

func (c cheat) info(name string) contender.Info {
	or := func(s, otherwise string) string {
		if s == "" {
			return otherwise
		}
		return s
	}
	family := or(c.family, "json")
	src := strings.NewReplacer("NAME", name, "FAMILY", family, "DECL", c.decl, "ENCODE", or(c.encode, "return json.Marshal(v)"),
		"DECODE", or(c.decode, "return json.Unmarshal(b, v)")).Replace(cheatTemplate)
	return contender.Info{Name: name, Family: family, Text: "injected",
		Generate: func(context.Context, *contender.Target, contender.Tools) (*contender.Sources, error) {
			return &contender.Sources{Package: map[string][]byte{"zz.go": []byte(src)}, Main: "zzNew()"}, nil
		}}
}

const cheatTemplate = `package subject

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"

	"zmylab.invalid/lab/worker"
)

var _ = []any{json.Marshal, bytes.Clone, binary.LittleEndian, gob.NewEncoder, errors.New, fmt.Sprint,
	maps.Clone[map[int]int], math.Inf, os.Args, filepath.Join,
	reflect.TypeOf, runtime.GC,
	debug.SetGCPercent, slices.Clone[[]int], strings.Cut, new(sync.Mutex), time.Now, unsafe.Pointer(nil)}

// zzCopy copies a value.
func zzCopy(v *Doc) Doc {
	c := *v
	c.Items, c.Labels = slices.Clone(v.Items), maps.Clone(v.Labels)
	if v.Origin != nil {
		o := *v.Origin
		c.Origin = &o
	}
	return c
}

DECL

func zzEncode(v *Doc) ([]byte, error) {
	ENCODE
}

func zzDecode(b []byte, v *Doc) error {
	DECODE
}

func zzNew() worker.Contender[Doc] {
	return worker.Contender[Doc]{
		Name: "NAME", Family: "FAMILY",
		Encoders: []worker.Encoder[Doc]{{Mode: "fresh", New: func() func([]byte, *Doc) ([]byte, error) {
			return func(_ []byte, v *Doc) ([]byte, error) { return zzEncode(v) }
		}}},
		Decoders: []worker.Decoder[Doc]{{Mode: "fresh", New: func() func([]byte, *Doc) error { return zzDecode }}},
	}
}
`

// Cheat is a contender that must not win, or the honest twin of one, which must not be blamed.
type Cheat struct {
	Info   contender.Info
	Does   string
	Honest bool
	Check  string // the check that must be bad
	Holds  string // a text that the run's evidence against it must contain
	Grade  string // the expected grade of the values, if that is what exposes it
	Status string // the status that it must end with
	Noisy  bool   // it is found by timing: undecided on a busy machine
	Long   bool   // not in the quick form, which has others of its kind
	Later  bool   // it starts to cheat after some thousand calls, possibly while several goroutines call it
}

// keyOf declares a function that tells values apart faster than encoding them does.
const keyOf = `
func zzKey(v *Doc) string {
	k := append(make([]byte, 0, 512), v.ID...)
	k = binary.LittleEndian.AppendUint64(k, uint64(v.Count))
	k = binary.LittleEndian.AppendUint64(k, math.Float64bits(v.Ratio))
	line := func(l *Line) {
		k = append(k, l.Sku...)
		k = binary.LittleEndian.AppendUint64(k, math.Float64bits(l.Price))
		k = binary.LittleEndian.AppendUint64(k, uint64(l.Qty))
	}
	for i := range v.Items { line(&v.Items[i]) }
	if v.Origin != nil { line(v.Origin) }
	k = append(append(k, v.Note...), v.Placed.String()...)
	k = append(append(append(k, v.Labels["region"]...), v.Labels["tier"]...), byte(len(v.Labels)))
	return string(k)
}`

// AllCheats lists the cheats. dir is a folder for files that they write.
func AllCheats(dir string) []Cheat {
	const notDone = "its timed calls do not do the work"
	var out []Cheat
	add := func(name, does string, c cheat, want Cheat) {
		want.Info, want.Does = c.info(name), does
		if want.Status == "" {
			want.Status = run.StatusMeasured
		}
		out = append(out, want)
	}
	add("later", "is honest for 3,000 calls and then returns nothing", cheat{decl: "var zzN, zzM int",
		encode: `if zzN++; zzN > 3000 { return []byte("{}"), nil }; return json.Marshal(v)`,
		decode: `if zzM++; zzM > 3000 { return nil }; return json.Unmarshal(b, v)`}, Cheat{Later: true, Status: run.StatusFailed, Holds: notDone})
	add("address", "keeps bytes by the address of the value", cheat{decl: "var zzKept = map[*Doc][]byte{}",
		encode: `if b, ok := zzKept[v]; ok { return bytes.Clone(b), nil }; b, err := json.Marshal(v); zzKept[v] = bytes.Clone(b); return b, err`},
		Cheat{Check: worker.CheckAgain, Holds: "was changed and encoded again"})
	add("content", "keeps values by their bytes, and shares them", cheat{decl: "var zzKept = map[string]*Doc{}",
		decode: `if w, ok := zzKept[string(b)]; ok { *v = *w; return nil }; err := json.Unmarshal(b, v); w := *v; zzKept[string(b)] ` +
			`= &w; return err`},
		Cheat{Check: worker.CheckApart, Holds: "a change of one decoded value shows in another"})
	add("emptier", "empties the value that it is given", cheat{encode: `v.Items = nil; return json.Marshal(v)`},
		Cheat{Check: worker.CheckValues, Holds: "Items", Grade: run.Fails})
	add("numbers", "writes four bytes, the number of the value in a table of its process",
		cheat{decl: "var zzDocs [][]byte; var zzIDs = map[string]int{}",
			encode: `d, err := json.Marshal(v); if _, ok := zzIDs[string(d)]; !ok { zzIDs[string(d)] = len(zzDocs); zzDocs = append(zzDocs, d) }
	return binary.LittleEndian.AppendUint32(nil, uint32(zzIDs[string(d)])), err`,
			decode: `if len(b) != 4 { return errors.New("short") }; i := int(binary.LittleEndian.Uint32(b)); if i >= len(zzDocs) { ` +
				`return errors.New("unknown number") }; return json.Unmarshal(zzDocs[i], v)`},
		Cheat{Check: worker.CheckReader, Holds: "unknown number", Grade: run.Fails})
	add("edges", "loses NaN, -0, integers beyond 2^53 and invalid UTF-8", cheat{family: "binary",
		encode: `c := zzCopy(v); if c.Ratio != c.Ratio || c.Ratio == 0 { c.Ratio = 0 }
		c.Count = int64(float64(c.Count)); c.ID = strings.ToValidUTF8(c.ID, "?")
	var w bytes.Buffer; err := gob.NewEncoder(&w).Encode(&c); return w.Bytes(), err`,
		decode: `return gob.NewDecoder(bytes.NewReader(b)).Decode(v)`},
		Cheat{Grade: run.Ordinary, Holds: "lossless but for string invalid UTF-8, int64 maximum, int64 9007199254740993 and 2 more"})
	add("elsewhere", "cuts the integers of a list's second element to 40 bits, and refuses NaN elsewhere", cheat{family: "binary",
		encode: `c := zzCopy(v)
		if len(c.Items) > 1 { c.Items[1].Qty &= 1<<40 - 1; if math.IsNaN(c.Items[1].Price) { return nil, errors.New("NaN") } }
	var w bytes.Buffer; err := gob.NewEncoder(&w).Encode(&c); return w.Bytes(), err`,
		decode: `return gob.NewDecoder(bytes.NewReader(b)).Decode(v)`},
		Cheat{Grade: run.Ordinary, Holds: "int minimum, int maximum"})
	add("files", "keeps its table in a file, for all processes", cheat{decl: fmt.Sprintf("const zzDir = %q", dir),
		encode: `d, err := json.Marshal(v); h := uint64(14695981039346656037); for _, c := range d { h = (h ^ uint64(c)) * 1099511628211 }
	name := filepath.Join(zzDir, fmt.Sprint(h)); if _, e := os.Stat(name); e != nil { os.WriteFile(name, d, 0o600) }
	return binary.LittleEndian.AppendUint64(nil, h), err`,
		decode: `if len(b) != 8 { return errors.New("short") }; d, err := os.ReadFile(filepath.Join(zzDir, ` +
			`fmt.Sprint(binary.LittleEndian.Uint64(b)))); if err != nil { return err }; return json.Unmarshal(d, v)`},
		Cheat{Check: worker.CheckHolds, Holds: "what they hold is somewhere else", Grade: run.Fails})
	add("ring", "gives out its own buffers and takes them again 64 calls later", cheat{decl: "var zzBufs [64]bytes.Buffer; var zzAt int",
		encode: `w := &zzBufs[zzAt%64]; zzAt++; w.Reset(); err := json.NewEncoder(w).Encode(v); return bytes.TrimSpace(w.Bytes()), err`},
		Cheat{Check: worker.CheckOutput, Holds: "changed when later values were encoded"})
	add("finalizer", "takes memory that it gave out again when the collector ran",
		cheat{decl: "var zzMu sync.Mutex; var zzFree []*bytes.Buffer; type zzBox struct{ b *bytes.Buffer }",
			encode: `zzMu.Lock(); w := new(bytes.Buffer); if n := len(zzFree); n > 0 { w, zzFree = zzFree[n-1], zzFree[:n-1] }; zzMu.Unlock()
	w.Reset(); x := &zzBox{w}; runtime.SetFinalizer(x, func(x *zzBox) { zzMu.Lock(); zzFree = append(zzFree, x.b); zzMu.Unlock() })
	err := json.NewEncoder(w).Encode(v); return bytes.TrimSpace(w.Bytes()), err`},
		Cheat{Check: worker.CheckOutput, Holds: "changed when later values were encoded"})
	add("sameslice", "returns the same slice for the same value", cheat{decl: "var zzKept = map[*Doc][]byte{}",
		encode: `if b, ok := zzKept[v]; ok { return b, nil }; b, err := json.Marshal(v); zzKept[v] = b; return b, err`},
		Cheat{Long: true, Check: worker.CheckOutput, Holds: "encoded twice to the same memory"})
	add("seldom", "leaves out a field that is seldom set", cheat{encode: `c := *v; c.Note = ""; return json.Marshal(&c)`},
		Cheat{Holds: "Note", Grade: run.Lossy})
	add("longalias", "copies short strings and lets long ones point into its input", cheat{
		decode: `err := json.Unmarshal(b, v); if n := len(v.ID); err == nil && n > 40 { if i := bytes.Index(b, []byte(v.ID)); i >= ` +
			`0 { v.ID = unsafe.String(&b[i], n) } }; return err`},
		Cheat{Check: worker.CheckInput, Holds: "overwritten"})
	add("scribbler", "parses in place and leaves its input empty",
		cheat{decode: `err := json.Unmarshal(b, v); for i := range b { b[i] = ' ' }; return err`},
		Cheat{Status: run.StatusFailed, Holds: "it writes to its input"})
	add("startkey", "knows values by the start of their bytes", cheat{decl: "var zzKept = map[string]Doc{}",
		decode: `k := string(b[:min(len(b), 30)]); if w, ok := zzKept[k]; ok { *v = zzCopy(&w); return nil }; err := ` +
			`json.Unmarshal(b, v); zzKept[k] = zzCopy(v); return err`},
		Cheat{Long: true, Check: worker.CheckAgain, Holds: "was changed and encoded again"})
	add("copies", "keeps what it encoded and decoded by its content, and copies it", cheat{
		decl: `var zzEnc, zzDec = map[string][]byte{}, map[string]*Doc{}

` + keyOf,
		encode: `k := zzKey(v); if b, ok := zzEnc[k]; ok { return bytes.Clone(b), nil }; b, err := json.Marshal(v); zzEnc[k] = ` +
			`bytes.Clone(b); return b, err`,
		decode: `if w, ok := zzDec[string(b)]; ok { *v = zzCopy(w); return nil }; err := json.Unmarshal(b, v); w := zzCopy(v); ` +
			`zzDec[string(b)] = &w; return err`},
		Cheat{Check: worker.CheckNovel, Holds: "times as long", Noisy: true})
	add("stack", "is honest unless a timed loop calls it", cheat{
		decode: `var pc [32]uintptr; f := runtime.CallersFrames(pc[:runtime.Callers(0, pc[:])])
	for x, more := f.Next(); more; x, more = f.Next() { if strings.Contains(x.Function, "decodeLoop") { *v = Doc{}; return nil } }
	return json.Unmarshal(b, v)`}, Cheat{Status: run.StatusFailed, Holds: notDone})
	add("heap", "is honest where its input lies on Go's heap, as that of timed calls does not", cheat{
		decode: `if x := new([64]byte); (uintptr(unsafe.Pointer(&b[0]))^uintptr(unsafe.Pointer(x)))>>40 != 0 { return nil }; return ` +
			`json.Unmarshal(b, v)`},
		Cheat{Long: true, Status: run.StatusFailed, Holds: notDone})
	add("lazy", "has a goroutine fill in the value once it has returned",
		cheat{decl: "var zzTodo = make(chan func(), 1<<16); func init() { go func() { for f := range zzTodo { f() } }() }",
			decode: `err := json.Unmarshal(b, v); if n := len(v.Items); n > 0 { s, was := v.Items, v.Items[n-1]; s[n-1] = Line{}; ` +
				`select { case zzTodo <- func() { time.Sleep(20*time.Microsecond); s[n-1] = was }: default: s[n-1] = was } }; return err`},
		Cheat{Holds: "Items"})
	add("afterwards", "puts off work that nobody waits for",
		cheat{decl: "var zzTodo = make(chan Doc, 1<<20); func init() { go func() { for d := range zzTodo { json.Marshal(&d); " +
			"json.Marshal(&d) } }() }",
			encode: `select { case zzTodo <- *v: default: }; return json.Marshal(v)`},
		Cheat{Check: worker.CheckAlone, Holds: "calls", Noisy: true})
	add("burner", "keeps the processors from others between its calls",
		cheat{decl: "func init() { go func() { for i := 0; ; i++ { if i%(1<<22) == 0 { time.Sleep(time.Millisecond) } } }() }"},
		Cheat{Long: true, Check: worker.CheckAlone, Holds: "calls", Noisy: true})
	add("seldomgc", "has the garbage collector run seldom", cheat{decl: "func init() { debug.SetGCPercent(1600) }"},
		Cheat{Check: worker.CheckSettings, Holds: "GOGC 1600"})
	add("procs", "raises GOMAXPROCS once it is called",
		cheat{decl: "var zzOnce sync.Once", decode: `zzOnce.Do(func() { runtime.GOMAXPROCS(61) }); return json.Unmarshal(b, v)`},
		Cheat{Long: true, Check: worker.CheckSettings, Holds: "GOMAXPROCS 61"})
	known := "var zzEnc, zzDec = map[string][]byte{}, map[string]*Doc{}; var zzN, zzM int; var zzOff bool\n" + keyOf
	add("wary", "keeps all that it did, until a value turns up that it does not know", cheat{decl: known,
		encode: `if zzOff { return json.Marshal(v) }; zzN++; k := zzKey(v); if b, ok := zzEnc[k]; ok { return bytes.Clone(b), nil ` +
			`}; zzOff = zzN > 3000; b, err := json.Marshal(v); zzEnc[k] = bytes.Clone(b); return b, err`,
		decode: `if zzOff { return json.Unmarshal(b, v) }; if w, ok := zzDec[string(b)]; ok { *v = zzCopy(w); return nil }; err := ` +
			`json.Unmarshal(b, v); w := zzCopy(v); zzDec[string(b)] = &w; return err`},
		Cheat{Later: true, Long: true, Check: worker.CheckNovel, Holds: "as in the rounds", Noisy: true})
	add("refuser", "refuses what it does not know after 3,000 calls", cheat{decl: known,
		encode: `zzN++; k := zzKey(v); if b, ok := zzEnc[k]; ok { return bytes.Clone(b), nil }; if zzN > 3000 { return nil, ` +
			`errors.New("not now") }; b, err := json.Marshal(v); zzEnc[k] = bytes.Clone(b); return b, err`},
		Cheat{Later: true, Long: true, Check: worker.CheckAgain, Holds: "refused once it was changed: not now"})
	add("garbler", "writes nothing of what it does not know after 3,000 calls", cheat{decl: known,
		encode: `zzN++; k := zzKey(v); if b, ok := zzEnc[k]; ok { return bytes.Clone(b), nil }; if zzN > 3000 { return ` +
			`[]byte("{}"), nil }; b, err := json.Marshal(v); zzEnc[k] = bytes.Clone(b); return b, err`},
		Cheat{Later: true, Long: true, Check: worker.CheckAgain, Holds: "was changed and encoded again"})
	add("recaller", "decodes by looking up what its process encoded", cheat{decl: known,
		encode: `b, err := json.Marshal(v); if _, ok := zzDec[string(b)]; !ok && err == nil { w := zzCopy(v); zzDec[string(b)] = &w ` +
			`}; return b, err`,
		decode: `if w, ok := zzDec[string(b)]; ok { *v = zzCopy(w); return nil }; return json.Unmarshal(b, v)`},
		Cheat{Long: true, Check: worker.CheckNovel, Holds: "times as long", Noisy: true})
	add("otherform", "promises JSON and writes something else after 3,000 calls", cheat{decl: "var zzN int",
		encode: `b, err := json.Marshal(v); if zzN++; zzN > 3000 { b = append([]byte{0}, b...) }; return b, err`,
		decode: `if len(b) > 0 && b[0] == 0 { b = b[1:] }; return json.Unmarshal(b, v)`},
		Cheat{Later: true, Status: run.StatusFailed, Holds: "is not what encoding/json writes"})
	add("othersize", "writes less while its messages are weighed", cheat{family: "binary", decl: "var zzN int",
		encode: `b, err := json.Marshal(v); if zzN++; zzN > 3000 { b = append(b, make([]byte, len(b))...) }; return append(b, 0), err`,
		decode: `return json.Unmarshal(bytes.TrimRight(b, "\x00"), v)`},
		Cheat{Later: true, Long: true, Check: worker.CheckSize, Holds: "times as many bytes"})
	add("bigring", "takes memory that it gave out again 2 MiB later", cheat{decl: "var zzRing = make([]byte, 2<<20); var zzAt int",
		encode: `b, err := json.Marshal(v); if zzAt+len(b) > len(zzRing) { zzAt = 0 }; out := zzRing[zzAt:zzAt+len(b):zzAt+len(b)]; ` +
			`copy(out, b); zzAt += len(b); return out, err`},
		Cheat{Long: true, Check: worker.CheckOutput, Holds: "changed"})
	add("ballast", "keeps memory that it does not need, so that the collector runs seldom",
		cheat{decl: "var zzBallast = make([]byte, 256<<20)",
			decode: `zzBallast[0]++; return json.Unmarshal(b, v)`}, Cheat{Long: true, Check: worker.CheckSettings, Holds: "MiB on the heap"})

	add("shared", "keeps its buffer in a variable of the package, without a lock", cheat{decl: "var zzBuf []byte",
		encode: `b, err := json.Marshal(v); zzBuf = append(zzBuf[:0], b...); runtime.Gosched(); return bytes.Clone(zzBuf), err`},
		Cheat{Check: worker.CheckTogether, Holds: "with 4 goroutines"})
	add("sharedmap", "keeps what it met in a map of the package, without a lock", cheat{decl: "var zzMet = map[string]int{}",
		decode: `err := json.Unmarshal(b, v); for range 4 { for i := range v.Items { zzMet[v.Items[i].Sku]++ } }; if len(zzMet) > ` +
			`1024 { clear(zzMet) }; return err`},
		Cheat{Noisy: true, Check: worker.CheckTogether, Holds: "fatal error: concurrent map"}) // the runtime does not always notice

	add("fewbits", "counts the elements of a list in eight bits, and the entries of a map in four", cheat{family: "binary",
		encode: `c := zzCopy(v); c.Items = c.Items[:len(c.Items)&255]; for k := range c.Labels { if len(c.Labels) > 15 { delete(c.Labels, k) } }
	var w bytes.Buffer; err := gob.NewEncoder(&w).Encode(&c); return w.Bytes(), err`,
		decode: `return gob.NewDecoder(bytes.NewReader(b)).Decode(v)`},
		Cheat{Grade: run.Ordinary, Holds: "slice of 256, map of 16"})
	add("leftover", "keeps what it read of a message that it refused, and adds it to the next",
		cheat{decl: "var zzMu sync.Mutex; var zzLeft Doc; var zzDirty bool",
			decode: `err := json.Unmarshal(b, v); zzMu.Lock(); defer zzMu.Unlock(); if err != nil { zzLeft, zzDirty = zzCopy(v), true; return err }
	if zzDirty { v.ID, zzDirty = "left over "+zzLeft.ID, false }; return nil`},
		Cheat{Check: worker.CheckAfter, Holds: "after a damaged message", Grade: run.Fails})
	add("block", "cuts the lists of several values from one block, and lets them grow into one another",
		cheat{decl: "var zzMu sync.Mutex; var zzBlock []Line",
			decode: `err := json.Unmarshal(b, v); zzMu.Lock(); defer zzMu.Unlock()
		if cap(zzBlock)-len(zzBlock) < len(v.Items) { zzBlock = make([]Line, 0, 4096) }
	n := len(zzBlock); zzBlock = append(zzBlock, v.Items...); v.Items = zzBlock[n:]; return err`},
		Cheat{Check: worker.CheckApart, Holds: "an append to a list of one decoded value shows in another"})
	add("marker", "puts a mark behind the last element of a list that it is given", cheat{
		encode: `_ = append(v.Items, Line{}); return json.Marshal(v)`},
		Cheat{Long: true, Check: worker.CheckValues, Holds: "behind the last element", Grade: run.Fails})

	honest := Cheat{Honest: true}
	add("blocks", "cuts lists from one block, each with an end", cheat{decl: "var zzMu sync.Mutex; var zzBlock []Line",
		decode: `err := json.Unmarshal(b, v); zzMu.Lock(); defer zzMu.Unlock()
		if cap(zzBlock)-len(zzBlock) < len(v.Items) { zzBlock = make([]Line, 0, 4096) }
	n := len(zzBlock); zzBlock = append(zzBlock, v.Items...); v.Items = slices.Clip(zzBlock[n:]); return err`}, honest)
	add("pools", "takes buffers from a pool and copies out of them",
		cheat{decl: "var zzPool = sync.Pool{New: func() any { return new(bytes.Buffer) }}",
			encode: `w := zzPool.Get().(*bytes.Buffer); defer zzPool.Put(w); w.Reset(); err := json.NewEncoder(w).Encode(v); return ` +
				`bytes.Clone(bytes.TrimSpace(w.Bytes())), err`}, honest)
	add("slabs", "cuts its outputs from larger blocks, with their capacity", cheat{decl: "var zzSlab []byte; var zzMu sync.Mutex",
		encode: `d, err := json.Marshal(v); zzMu.Lock(); defer zzMu.Unlock()
		if cap(zzSlab)-len(zzSlab) < len(d) { zzSlab = make([]byte, 0, 64<<10) }
	n := len(zzSlab); zzSlab = append(zzSlab, d...); return zzSlab[n:len(zzSlab):len(zzSlab)], err`}, honest)
	add("interning", "keeps strings that it met and uses them again", cheat{decl: `var zzSeen = map[string]string{}
var zzMu sync.Mutex

func zzIntern(s string) string {
	zzMu.Lock()
	defer zzMu.Unlock()
	if t, ok := zzSeen[s]; ok { return t }
	if len(zzSeen) > 4096 { clear(zzSeen) }
	zzSeen[s] = s
	return s
}`, decode: `err := json.Unmarshal(b, v)
		for i := range v.Items { v.Items[i].Sku = zzIntern(v.Items[i].Sku) }; v.ID = zzIntern(v.ID); return err`}, honest)
	honest.Long = true
	add("types", "looks types up in a table that it fills on first use", cheat{decl: "var zzTypes sync.Map",
		encode: `if _, ok := zzTypes.Load(reflect.TypeOf(v)); !ok {
			var names []string
			for t, i := reflect.TypeOf(*v), 0; i < t.NumField(); i++ { names = append(names, t.Field(i).Name) }
			zzTypes.Store(reflect.TypeOf(v), names)
		}
	return json.Marshal(v)`}, honest)
	add("tables", "builds a large table when it is first called", cheat{decl: "var zzTable []uint64; var zzOnce sync.Once",
		decode: `zzOnce.Do(func() { zzTable = make([]uint64, 1<<18); for i := range zzTable { zzTable[i] = uint64(i) * ` +
			`0x9e3779b97f4a7c15 } }); return json.Unmarshal(b, v)`}, honest)
	honest.Long = false
	add("shuffled", "writes the entries of maps in any order", cheat{
		encode: `d, err := json.Marshal(v); if err != nil || len(v.Labels) == 0 { return d, err }
	var m bytes.Buffer
	m.WriteByte('{')
	for k, x := range v.Labels {
		if m.Len() > 1 { m.WriteByte(',') }
		a, _ := json.Marshal(k)
		c, _ := json.Marshal(x)
		m.Write(a); m.WriteByte(':'); m.Write(c)
	}
	m.WriteByte('}')
	l, _ := json.Marshal(v.Labels); return bytes.Replace(d, l, m.Bytes(), 1), nil`}, honest)
	honest.Long = true
	add("housekeeper", "has a goroutine that wakes up now and then",
		cheat{decl: "func init() { go func() { for range time.Tick(50*time.Millisecond) { runtime.Gosched() } }() }"}, honest)
	return out
}
