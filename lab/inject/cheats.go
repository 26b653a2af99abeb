package inject

import (
	"cmp"
	"fmt"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// CheatType is the name of the type that cheats encode.
const CheatType = "Doc"

// CheatSubject returns the files of a module that declares CheatType. The field Note is set so
// rarely that a few hundred values do not have it.
func CheatSubject() map[string]string {
	return map[string]string{
		"go.mod": "module example.com/subject\n\ngo 1.24\n",
		"doc.go": `package subject

import (
	"maps"
	"math/rand/v2"
	"slices"
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

// zzCopy copies a value, for the code of cheats.
func zzCopy(v *Doc) Doc {
	c := *v
	c.Items, c.Labels = slices.Clone(v.Items), maps.Clone(v.Labels)
	if v.Origin != nil {
		o := *v.Origin
		c.Origin = &o
	}
	return c
}
`}
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

// NOTE: a cheat does less than its cells say, or gives back something else than it was given. Each
// leans on one habit of a benchmark: the same values again, the same process on both sides, a known
// number of calls, clocks that see one thread. Its honest twin does what good codecs do and what
// looks alike: pools, slabs, tables that are filled on first use. A check that is sharpened against
// a cheat must still let the twin pass.

// AllCheats lists the contenders that must not win, and their honest twins. dir is a folder for
// files that they write.
func AllCheats(dir string) []Case {
	const notDone = "a timed call returned a wrong result"
	var out []Case
	add := func(name, does string, c Code, want Case) {
		want.Info, want.Does, want.Status = c.info(name, CheatType), does, cmp.Or(want.Status, run.StatusMeasured)
		out = append(out, want)
	}
	add("later", "is honest for 3,000 calls and then returns nothing", Code{Decl: "var zzN, zzM int",
		Encode: `if zzN++; zzN > 3000 { return []byte("{}"), nil }; return json.Marshal(v)`,
		Decode: `if zzM++; zzM > 3000 { return nil }; return json.Unmarshal(b, v)`}, Case{Later: true, Status: run.StatusFailed, Holds: notDone})
	add("address", "keeps bytes by the address of the value", Code{Decl: "var zzKept = map[*Doc][]byte{}",
		Encode: `if b, ok := zzKept[v]; ok { return bytes.Clone(b), nil }; b, err := json.Marshal(v); zzKept[v] = bytes.Clone(b); return b, err`},
		Case{Check: worker.CheckAgain, Holds: "was changed and encoded again"})
	add("content", "keeps values by their bytes, and shares them", Code{Decl: "var zzKept = map[string]*Doc{}",
		Decode: `if w, ok := zzKept[string(b)]; ok { *v = *w; return nil }; err := json.Unmarshal(b, v); w := *v; zzKept[string(b)] ` +
			`= &w; return err`},
		Case{Check: worker.CheckApart, Holds: "a change of one decoded value shows in another"})
	add("emptier", "empties the value that it is given", Code{Encode: `v.Items = nil; return json.Marshal(v)`},
		Case{Check: worker.CheckValues, Holds: "Items", Grade: run.Fails})
	add("numbers", "writes four bytes, the number of the value in a table of its process",
		Code{Decl: "var zzDocs [][]byte; var zzIDs = map[string]int{}",
			Encode: `d, err := json.Marshal(v); if _, ok := zzIDs[string(d)]; !ok { zzIDs[string(d)] = len(zzDocs); zzDocs = append(zzDocs, d) }
	return binary.LittleEndian.AppendUint32(nil, uint32(zzIDs[string(d)])), err`,
			Decode: `if len(b) != 4 { return errors.New("short") }; i := int(binary.LittleEndian.Uint32(b)); if i >= len(zzDocs) { ` +
				`return errors.New("unknown number") }; return json.Unmarshal(zzDocs[i], v)`},
		Case{Check: worker.CheckReader, Holds: "unknown number", Grade: run.Fails})
	add("edges", "loses NaN, -0, integers beyond 2^53 and invalid UTF-8", Code{Family: "binary",
		Encode: `c := zzCopy(v); if c.Ratio != c.Ratio || c.Ratio == 0 { c.Ratio = 0 }
		c.Count = int64(float64(c.Count)); c.ID = strings.ToValidUTF8(c.ID, "?")
	var w bytes.Buffer; err := gob.NewEncoder(&w).Encode(&c); return w.Bytes(), err`,
		Decode: `return gob.NewDecoder(bytes.NewReader(b)).Decode(v)`},
		Case{Grade: run.Ordinary, Holds: "lossless but for string invalid UTF-8, int64 maximum, int64 9007199254740993 and 2 more"})
	add("elsewhere", "cuts the integers of a list's second element to 40 bits, and refuses NaN elsewhere", Code{Family: "binary",
		Encode: `c := zzCopy(v)
		if len(c.Items) > 1 { c.Items[1].Qty &= 1<<40 - 1; if math.IsNaN(c.Items[1].Price) { return nil, errors.New("NaN") } }
	var w bytes.Buffer; err := gob.NewEncoder(&w).Encode(&c); return w.Bytes(), err`,
		Decode: `return gob.NewDecoder(bytes.NewReader(b)).Decode(v)`},
		Case{Grade: run.Ordinary, Holds: "int minimum, int maximum"})
	add("files", "keeps its table in a file, for all processes", Code{Decl: fmt.Sprintf("const zzDir = %q", dir),
		Encode: `d, err := json.Marshal(v); h := uint64(14695981039346656037); for _, c := range d { h = (h ^ uint64(c)) * 1099511628211 }
	name := filepath.Join(zzDir, fmt.Sprint(h)); if _, e := os.Stat(name); e != nil { os.WriteFile(name, d, 0o600) }
	return binary.LittleEndian.AppendUint64(nil, h), err`,
		Decode: `if len(b) != 8 { return errors.New("short") }; d, err := os.ReadFile(filepath.Join(zzDir, ` +
			`fmt.Sprint(binary.LittleEndian.Uint64(b)))); if err != nil { return err }; return json.Unmarshal(d, v)`},
		Case{Check: worker.CheckHolds, Holds: "what they hold is somewhere else", Grade: run.Fails})
	add("ring", "gives out its own buffers and takes them again 64 calls later", Code{Decl: "var zzBufs [64]bytes.Buffer; var zzAt int",
		Encode: `w := &zzBufs[zzAt%64]; zzAt++; w.Reset(); err := json.NewEncoder(w).Encode(v); return bytes.TrimSpace(w.Bytes()), err`},
		Case{Check: worker.CheckOutput, Holds: "changed when later values were encoded"})
	add("finalizer", "takes memory that it gave out again when the collector ran",
		Code{Decl: "var zzMu sync.Mutex; var zzFree []*bytes.Buffer; type zzBox struct{ b *bytes.Buffer }",
			Encode: `zzMu.Lock(); w := new(bytes.Buffer); if n := len(zzFree); n > 0 { w, zzFree = zzFree[n-1], zzFree[:n-1] }; zzMu.Unlock()
	w.Reset(); x := &zzBox{w}; runtime.SetFinalizer(x, func(x *zzBox) { zzMu.Lock(); zzFree = append(zzFree, x.b); zzMu.Unlock() })
	err := json.NewEncoder(w).Encode(v); return bytes.TrimSpace(w.Bytes()), err`},
		Case{Check: worker.CheckOutput, Holds: "changed when later values were encoded"})
	add("sameslice", "returns the same slice for the same value", Code{Decl: "var zzKept = map[*Doc][]byte{}",
		Encode: `if b, ok := zzKept[v]; ok { return b, nil }; b, err := json.Marshal(v); zzKept[v] = b; return b, err`},
		Case{Long: true, Check: worker.CheckOutput, Holds: "encoded twice to the same memory"})
	add("seldom", "leaves out a field that is seldom set", Code{Encode: `c := *v; c.Note = ""; return json.Marshal(&c)`},
		Case{Holds: "Note", Grade: run.Lossy})
	add("longalias", "copies short strings and lets long ones point into its input", Code{
		Decode: `err := json.Unmarshal(b, v); if n := len(v.ID); err == nil && n > 40 { if i := bytes.Index(b, []byte(v.ID)); i >= ` +
			`0 { v.ID = unsafe.String(&b[i], n) } }; return err`},
		Case{Check: worker.CheckInput, Holds: "overwritten"})
	add("scribbler", "parses in place and leaves its input empty",
		Code{Decode: `err := json.Unmarshal(b, v); for i := range b { b[i] = ' ' }; return err`},
		Case{Status: run.StatusFailed, Holds: "it writes to its input"})
	add("startkey", "knows values by the start of their bytes", Code{Decl: "var zzKept = map[string]Doc{}",
		Decode: `k := string(b[:min(len(b), 30)]); if w, ok := zzKept[k]; ok { *v = zzCopy(&w); return nil }; err := ` +
			`json.Unmarshal(b, v); zzKept[k] = zzCopy(v); return err`},
		Case{Long: true, Check: worker.CheckAgain, Holds: "was changed and encoded again"})
	add("copies", "keeps what it encoded and decoded by its content, and copies it", Code{
		Decl: `var zzEnc, zzDec = map[string][]byte{}, map[string]*Doc{}

` + keyOf,
		Encode: `k := zzKey(v); if b, ok := zzEnc[k]; ok { return bytes.Clone(b), nil }; b, err := json.Marshal(v); zzEnc[k] = ` +
			`bytes.Clone(b); return b, err`,
		Decode: `if w, ok := zzDec[string(b)]; ok { *v = zzCopy(w); return nil }; err := json.Unmarshal(b, v); w := zzCopy(v); ` +
			`zzDec[string(b)] = &w; return err`},
		Case{Check: worker.CheckNovel, Holds: "times as long", Noisy: true})
	add("stack", "is honest unless a timed loop calls it", Code{
		Decode: `var pc [32]uintptr; f := runtime.CallersFrames(pc[:runtime.Callers(0, pc[:])])
	for x, more := f.Next(); more; x, more = f.Next() { if strings.Contains(x.Function, "decodeLoop") { *v = Doc{}; return nil } }
	return json.Unmarshal(b, v)`}, Case{Status: run.StatusFailed, Holds: notDone})
	add("heap", "is honest where its input lies on Go's heap, as that of timed calls does not", Code{
		Decode: `if x := new([64]byte); (uintptr(unsafe.Pointer(&b[0]))^uintptr(unsafe.Pointer(x)))>>40 != 0 { return nil }; return ` +
			`json.Unmarshal(b, v)`},
		Case{Long: true, Status: run.StatusFailed, Holds: notDone})
	add("lazy", "has a goroutine fill in the value once it has returned",
		Code{Decl: "var zzTodo = make(chan func(), 1<<16); func init() { go func() { for f := range zzTodo { f() } }() }",
			Decode: `err := json.Unmarshal(b, v); if n := len(v.Items); n > 0 { s, was := v.Items, v.Items[n-1]; s[n-1] = Line{}; ` +
				`select { case zzTodo <- func() { time.Sleep(20*time.Microsecond); s[n-1] = was }: default: s[n-1] = was } }; return err`},
		Case{Holds: "Items"})
	add("afterwards", "puts off work that nobody waits for",
		Code{Decl: "var zzTodo = make(chan []byte, 1<<20); func init() { go func() { for b := range zzTodo { " +
			"json.Unmarshal(b, new(Doc)); json.Unmarshal(b, new(Doc)) } }() }",
			Encode: `b, err := json.Marshal(v); select { case zzTodo <- bytes.Clone(b): default: }; return b, err`},
		Case{Check: worker.CheckAlone, Holds: "calls", Noisy: true})
	add("burner", "keeps the processors from others between its calls",
		Code{Decl: "func init() { go func() { for i := 0; ; i++ { if i%(1<<22) == 0 { time.Sleep(time.Millisecond) } } }() }"},
		Case{Long: true, Check: worker.CheckAlone, Holds: "calls", Noisy: true})
	add("seldomgc", "has the garbage collector run seldom", Code{Decl: "func init() { debug.SetGCPercent(1600) }"},
		Case{Check: worker.CheckSettings, Holds: "GOGC 1600"})
	add("procs", "raises GOMAXPROCS once it is called",
		Code{Decl: "var zzOnce sync.Once", Decode: `zzOnce.Do(func() { runtime.GOMAXPROCS(61) }); return json.Unmarshal(b, v)`},
		Case{Long: true, Check: worker.CheckSettings, Holds: "GOMAXPROCS 61"})
	known := "var zzEnc, zzDec = map[string][]byte{}, map[string]*Doc{}; var zzN, zzM int; var zzOff bool\n" + keyOf
	add("wary", "keeps all that it did, until a value turns up that it does not know", Code{Decl: known,
		Encode: `if zzOff { return json.Marshal(v) }; zzN++; k := zzKey(v); if b, ok := zzEnc[k]; ok { return bytes.Clone(b), nil ` +
			`}; zzOff = zzN > 3000; b, err := json.Marshal(v); zzEnc[k] = bytes.Clone(b); return b, err`,
		Decode: `if zzOff { return json.Unmarshal(b, v) }; if w, ok := zzDec[string(b)]; ok { *v = zzCopy(w); return nil }; err := ` +
			`json.Unmarshal(b, v); w := zzCopy(v); zzDec[string(b)] = &w; return err`},
		Case{Later: true, Long: true, Check: worker.CheckNovel, Holds: "as in the rounds", Noisy: true})
	add("refuser", "refuses what it does not know after 3,000 calls", Code{Decl: known,
		Encode: `zzN++; k := zzKey(v); if b, ok := zzEnc[k]; ok { return bytes.Clone(b), nil }; if zzN > 3000 { return nil, ` +
			`errors.New("not now") }; b, err := json.Marshal(v); zzEnc[k] = bytes.Clone(b); return b, err`},
		Case{Later: true, Long: true, Check: worker.CheckAgain, Holds: "refused once it was changed: not now"})
	add("garbler", "writes nothing of what it does not know after 3,000 calls", Code{Decl: known,
		Encode: `zzN++; k := zzKey(v); if b, ok := zzEnc[k]; ok { return bytes.Clone(b), nil }; if zzN > 3000 { return ` +
			`[]byte("{}"), nil }; b, err := json.Marshal(v); zzEnc[k] = bytes.Clone(b); return b, err`},
		Case{Later: true, Long: true, Check: worker.CheckAgain, Holds: "was changed and encoded again"})
	add("recaller", "decodes by looking up what its process encoded", Code{Decl: known,
		Encode: `b, err := json.Marshal(v); if _, ok := zzDec[string(b)]; !ok && err == nil { w := zzCopy(v); zzDec[string(b)] = &w ` +
			`}; return b, err`,
		Decode: `if w, ok := zzDec[string(b)]; ok { *v = zzCopy(w); return nil }; return json.Unmarshal(b, v)`},
		Case{Long: true, Check: worker.CheckNovel, Holds: "times as long", Noisy: true})
	add("otherform", "promises JSON and writes something else after 3,000 calls", Code{Decl: "var zzN int",
		Encode: `b, err := json.Marshal(v); if zzN++; zzN > 3000 { b = append([]byte{0}, b...) }; return b, err`,
		Decode: `if len(b) > 0 && b[0] == 0 { b = b[1:] }; return json.Unmarshal(b, v)`},
		Case{Later: true, Status: run.StatusFailed, Holds: "is not what encoding/json writes"})
	add("othersize", "writes less while its messages are weighed", Code{Family: "binary", Decl: "var zzN int",
		Encode: `b, err := json.Marshal(v); if zzN++; zzN > 3000 { b = append(b, make([]byte, len(b))...) }; return append(b, 0), err`,
		Decode: `return json.Unmarshal(bytes.TrimRight(b, "\x00"), v)`},
		Case{Later: true, Long: true, Check: worker.CheckSize, Holds: "times as many bytes"})
	add("bigring", "takes memory that it gave out again 2 MiB later", Code{Decl: "var zzRing = make([]byte, 2<<20); var zzAt int",
		Encode: `b, err := json.Marshal(v); if zzAt+len(b) > len(zzRing) { zzAt = 0 }; out := zzRing[zzAt:zzAt+len(b):zzAt+len(b)]; ` +
			`copy(out, b); zzAt += len(b); return out, err`},
		Case{Long: true, Check: worker.CheckOutput, Holds: "changed"})
	add("ballast", "keeps memory that it does not need, so that the collector runs seldom",
		Code{Decl: "var zzBallast = make([]byte, 256<<20)",
			Decode: `zzBallast[0]++; return json.Unmarshal(b, v)`}, Case{Long: true, Check: worker.CheckSettings, Holds: "MiB on the heap"})

	add("shared", "keeps its buffer in a variable of the package, without a lock", Code{Decl: "var zzBuf []byte",
		Encode: `b, err := json.Marshal(v); zzBuf = append(zzBuf[:0], b...); runtime.Gosched(); return bytes.Clone(zzBuf), err`},
		Case{Check: worker.CheckTogether, Holds: "with 4 goroutines"})
	add("sharedmap", "keeps what it met in a map of the package, without a lock", Code{Decl: "var zzMet = map[string]int{}",
		Decode: `err := json.Unmarshal(b, v); for range 4 { for i := range v.Items { zzMet[v.Items[i].Sku]++ } }; if len(zzMet) > ` +
			`1024 { clear(zzMet) }; return err`},
		Case{Noisy: true, Check: worker.CheckTogether, Holds: "fatal error: concurrent map"}) // the runtime does not always notice

	add("fewbits", "counts the elements of a list in eight bits, and the entries of a map in four", Code{Family: "binary",
		Encode: `c := zzCopy(v); c.Items = c.Items[:len(c.Items)&255]; for k := range c.Labels { if len(c.Labels) > 15 { delete(c.Labels, k) } }
	var w bytes.Buffer; err := gob.NewEncoder(&w).Encode(&c); return w.Bytes(), err`,
		Decode: `return gob.NewDecoder(bytes.NewReader(b)).Decode(v)`},
		Case{Grade: run.Ordinary, Holds: "slice of 256, map of 16"})
	add("leftover", "keeps what it read of a message that it refused, and adds it to the next",
		Code{Decl: "var zzMu sync.Mutex; var zzLeft Doc; var zzDirty bool",
			Decode: `err := json.Unmarshal(b, v); zzMu.Lock(); defer zzMu.Unlock(); if err != nil { zzLeft, zzDirty = zzCopy(v), true; return err }
	if zzDirty { v.ID, zzDirty = "left over "+zzLeft.ID, false }; return nil`},
		Case{Check: worker.CheckAfter, Holds: "after a damaged message", Grade: run.Fails})
	add("block", "cuts the lists of several values from one block, and lets them grow into one another",
		Code{Decl: "var zzMu sync.Mutex; var zzBlock []Line",
			Decode: `err := json.Unmarshal(b, v); zzMu.Lock(); defer zzMu.Unlock()
		if cap(zzBlock)-len(zzBlock) < len(v.Items) { zzBlock = make([]Line, 0, 4096) }
	n := len(zzBlock); zzBlock = append(zzBlock, v.Items...); v.Items = zzBlock[n:]; return err`},
		Case{Check: worker.CheckApart, Holds: "an append to a list of one decoded value shows in another"})
	add("marker", "puts a mark behind the last element of a list that it is given", Code{
		Encode: `_ = append(v.Items, Line{}); return json.Marshal(v)`},
		Case{Long: true, Check: worker.CheckValues, Holds: "behind the last element", Grade: run.Fails})

	honest := Case{Honest: true}
	add("blocks", "cuts lists from one block, each with an end", Code{Decl: "var zzMu sync.Mutex; var zzBlock []Line",
		Decode: `err := json.Unmarshal(b, v); zzMu.Lock(); defer zzMu.Unlock()
		if cap(zzBlock)-len(zzBlock) < len(v.Items) { zzBlock = make([]Line, 0, 4096) }
	n := len(zzBlock); zzBlock = append(zzBlock, v.Items...); v.Items = slices.Clip(zzBlock[n:]); return err`}, honest)
	add("pools", "takes buffers from a pool and copies out of them",
		Code{Decl: "var zzPool = sync.Pool{New: func() any { return new(bytes.Buffer) }}",
			Encode: `w := zzPool.Get().(*bytes.Buffer); defer zzPool.Put(w); w.Reset(); err := json.NewEncoder(w).Encode(v); return ` +
				`bytes.Clone(bytes.TrimSpace(w.Bytes())), err`}, honest)
	add("slabs", "cuts its outputs from larger blocks, with their capacity", Code{Decl: "var zzSlab []byte; var zzMu sync.Mutex",
		Encode: `d, err := json.Marshal(v); zzMu.Lock(); defer zzMu.Unlock()
		if cap(zzSlab)-len(zzSlab) < len(d) { zzSlab = make([]byte, 0, 64<<10) }
	n := len(zzSlab); zzSlab = append(zzSlab, d...); return zzSlab[n:len(zzSlab):len(zzSlab)], err`}, honest)
	add("interning", "keeps strings that it met and uses them again", Code{Decl: `var zzSeen = map[string]string{}
var zzMu sync.Mutex

func zzIntern(s string) string {
	zzMu.Lock()
	defer zzMu.Unlock()
	if t, ok := zzSeen[s]; ok { return t }
	if len(zzSeen) > 4096 { clear(zzSeen) }
	zzSeen[s] = s
	return s
}`, Decode: `err := json.Unmarshal(b, v)
		for i := range v.Items { v.Items[i].Sku = zzIntern(v.Items[i].Sku) }; v.ID = zzIntern(v.ID); return err`}, honest)
	honest.Long = true
	add("types", "looks types up in a table that it fills on first use", Code{Decl: "var zzTypes sync.Map",
		Encode: `if _, ok := zzTypes.Load(reflect.TypeOf(v)); !ok {
			var names []string
			for t, i := reflect.TypeOf(*v), 0; i < t.NumField(); i++ { names = append(names, t.Field(i).Name) }
			zzTypes.Store(reflect.TypeOf(v), names)
		}
	return json.Marshal(v)`}, honest)
	add("tables", "builds a large table when it is first called", Code{Decl: "var zzTable []uint64; var zzOnce sync.Once",
		Decode: `zzOnce.Do(func() { zzTable = make([]uint64, 1<<18); for i := range zzTable { zzTable[i] = uint64(i) * ` +
			`0x9e3779b97f4a7c15 } }); return json.Unmarshal(b, v)`}, honest)
	honest.Long = false
	add("shuffled", "writes the entries of maps in any order", Code{
		Encode: `d, err := json.Marshal(v); if err != nil || len(v.Labels) == 0 { return d, err }
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
		Code{Decl: "func init() { go func() { for range time.Tick(50*time.Millisecond) { runtime.Gosched() } }() }"}, honest)
	return out
}
