package table

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/longtest"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/codecs/capnp"
	"github.com/zmylab/zmy/lab/contender/codecs/flatbuffers"
	jsonv2go127 "github.com/zmylab/zmy/lab/contender/codecs/json-v2-go127"
	"github.com/zmylab/zmy/lab/contender/internal/labtest"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/plan"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// subjects are the built-in ones.
var subjects = []struct{ dir, typ string }{
	{"blob128k", "Blob"},
	{"canada", "Map"},
	{"citm", "Catalog"},
	{"flat", "Person"},
	{"golang-source", "Source"},
	{"nested16", "Node"},
	{"order", "Order"},
	{"order-large", "Order"},
	{"order-lite", "Order"},
	{"order-lite-any", "Order"},
	{"result", "Result"},
	{"sensor", "SensorData"},
	{"session", "UserSession"},
	{"session-proto", "UserSession"},
	{"shapes", "Array100"},
	{"shapes", "Columns100"},
	{"shapes", "TimeNative"},
	{"shapes", "TimeISO"},
	{"shapes", "TimeUnixMS"},
	{"sse", "SSEEvent"},
	{"twitter", "Search"},
	{"user", "User"},
}

// exclusions are all contenders that may be left out of a built-in subject: why, and of which ones.
// A native row is left out where the other one is. Whoever adds a line here takes a figure from the
// user.
var exclusions = map[string]map[string]string{
	"easyjson": {
		"it would fall back to encoding/json": "order order-large order-lite-any session-proto session",
	},
	"gogoproto": {
		"gogo/protobuf knows nothing of proto3's optional": "citm twitter",
	},
	"flatbuffers": {
		"FlatBuffers has no form for it": "order order-large",
		"a schema has no dynamic values": "order-lite-any session session-proto",
	},
	"mus": {
		"musgen generates no code for it":                            "order order-large",
		"musgen needs to know every type that an interface may hold": "order-lite-any session session-proto",
	},
	"capnp": {
		"Cap'n Proto has no form for it": "order order-large",
		"a schema has no dynamic values": "order-lite-any session session-proto",
	},
	"benc": {
		"benc has no dynamic values": "order order-large order-lite-any session session-proto",
	},
	"avro": {
		"hamba/avro takes arrays of bytes only":           "canada twitter",
		"a schema names every type that a value may have": "order order-large order-lite-any session session-proto",
	},
	"ffjson": {
		"it would fall back to encoding/json": "canada citm order-lite-any session session-proto",
		"ffjson knows no text methods":        "order order-large",
	},
	"fory": {
		"Fory has no form for it": "order order-large",
		"what an interface holds has to be registered, and maps of interfaces make Fory panic": "order-lite-any session session-proto",
	},
}

// available leaves out what can be had nowhere, and what needs a program that
// is not installed.
func available() []contender.Info {
	_, flatc := exec.LookPath(flatbuffers.Compiler)
	_, capnpc := exec.LookPath(capnp.Compiler)
	go127 := jsonv2go127.Installed()
	return slices.DeleteFunc(All(), func(i contender.Info) bool {
		switch base := strings.TrimSuffix(i.Name, "-native"); base {
		case flatbuffers.Info.Name:
			return flatc != nil
		case capnp.Info.Name:
			return capnpc != nil
		case jsonv2go127.Info.Name:
			return go127 != nil
		}
		return i.Generate == nil
	})
}

func resolve(t *testing.T, dir, typ string) (*plan.Subject, *contender.Target) {
	t.Helper()
	s, err := plan.Resolve(t.Context(), plan.Options{Dir: "../../../examples/" + dir, Package: ".", Type: typ})
	if err != nil {
		t.Fatal(err)
	}
	target := &contender.Target{IR: s.IR, Root: s.Root, Expr: s.Expr}
	if s.Leaf != nil {
		target.Leaf = s.Leaf.Path
	}
	return s, target
}

// TestExclusions asks every contender whether it carries every subject.
func TestExclusions(t *testing.T) {
	listed := map[string]string{} // contender and subject to the reason
	for name, reasons := range exclusions {
		for why, dirs := range reasons {
			for _, dir := range strings.Fields(dirs) {
				listed[name+" "+dir] = why
			}
		}
	}
	met := map[string]bool{}
	for _, s := range subjects {
		_, target := resolve(t, s.dir, s.typ)
		for _, info := range All() {
			met[info.Name+" "+s.dir] = true
		}
		for _, info := range available() {
			want := listed[strings.TrimSuffix(info.Name, "-native")+" "+s.dir]
			switch why := info.Plan(target); {
			case why != nil && want != why.Reason:
				t.Errorf("%s is left out of %s, which exclusions does not say: %s\nif that is meant, add to exclusions: %q: {%q: %q}",
					info.Name, s.dir, labtest.WhyText(why), info.Name, why.Reason, s.dir)
			case why == nil && want != "":
				t.Errorf("%s carries %s, yet exclusions has it", info.Name, s.dir)
			}
		}
	}
	for key := range listed {
		if !met[key] {
			t.Errorf("exclusions has %s: there is no such contender or subject", key)
		}
	}
}

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, info := range All() {
		if seen[info.Name] {
			t.Errorf("%s twice", info.Name)
		}
		seen[info.Name] = true
		if info.Text == "" {
			t.Errorf("%s: Info.Text is empty: say in one line what is measured", info.Name)
		}
		if info.Plan == nil || (info.Generate == nil) != slices.Contains([]string{"bebop"}, info.Name) ||
			!slices.Contains([]string{"json", "binary", "protobuf", contender.FamilyFloor}, info.Family) {
			t.Errorf("%s is incomplete: %+v", info.Name, info)
		}
		if isFloor := strings.HasPrefix(info.Name, "floor-"); (info.Family == contender.FamilyFloor) != isFloor ||
			(info.Rankless() != "") != (isFloor || info.Native || info.Unranked != "") {
			t.Errorf("%s: rankless %q", info.Name, info.Rankless())
		}
		if info.Native != strings.HasSuffix(info.Name, "-native") {
			t.Errorf("%s: native = %v", info.Name, info.Native)
		}
	}
}

// carried are the folders of the subjects that TestCarried builds contenders on: one that all
// of them carry, and one with dynamic parts. Tests of each contender of its own go through the
// kinds of fields.
var carried = []string{"sse", "order"}

// TestCarried builds the contenders with generated code on a subject, and with longtest on all
// subjects that it carries, and asks their workers everything once. Extra contenders are built
// on one. The others are the harness's own tests' affair.
func TestCarried(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	reflective := map[string]bool{}
	for _, info := range Reflective() {
		reflective[info.Name] = true
	}
	built := map[string]bool{}
	for _, dir := range slices.Backward(carried) {
		i := slices.IndexFunc(subjects, func(s struct{ dir, typ string }) bool { return s.dir == dir })
		s, target := resolve(t, dir, subjects[i].typ)
		w, err := harness.New(t.Context(), harness.Config{Subject: s, Sources: os.DirFS("../.."), TempDir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		for _, info := range All() {
			if reflective[info.Name] || info.Extra && dir != "sse" || info.Plan(target) != nil || refusing[dir+"/"+info.Name] {
				continue // without flatc and capnp, their rows too
			}
			if built[info.Name] && !longtest.Asked() {
				continue
			}
			built[info.Name] = true
			t.Run(dir+"/"+info.Name, func(t *testing.T) {
				wk, err := w.Build(t.Context(), info, target)
				if err != nil {
					t.Fatal(err)
				}
				ask(t.Context(), t, wk, info.Family)
			})
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

// refusing are contenders that cannot write the values of a subject.
var refusing = map[string]bool{
	"order/fxproto": true, // an any holds big numbers and times, which google.protobuf.Value does not have
}

// apart are the contenders whose contract is not their family's.
var apart = map[string]bool{
	"json-v2-default": true, // encoding/json/v2 changes what encoding/json promised
	"json-v2-go127":   true,
}

// panics are the contenders that damaged input makes panic.
var panics = map[string]bool{
	"flatbuffers":        true, // the Go runtime has no verifier
	"flatbuffers-native": true,
	"benc":               true, // it believes the lengths of lists
	"fory":               true, // it trusts the types that a message names
	"shamaton-array":     true, // it looks at the byte behind a message that is cut short
}

// known are the contenders that hand out values which they know beforehand: a change of one
// decoded value is a change of the value itself.
var known = map[string]bool{"floor-memcpy": true}

// ask drives one worker through every judgement and one batch of every mode.
func ask(ctx context.Context, t *testing.T, wk *harness.Worker, family string) {
	p, err := wk.Start(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	do := func(q worker.Request) *worker.Reply {
		t.Helper()
		a, err := p.Do(ctx, q, 0)
		if err != nil {
			t.Fatalf("%s: %v", q.Cmd, err)
		}
		return a
	}
	do(worker.Request{Cmd: worker.CmdValues, Seed: 42, N: 32})
	do(worker.Request{Cmd: worker.CmdFirst})
	f := do(worker.Request{Cmd: worker.CmdFidelity}).Fidelity
	if f.Contract.Grade != "KEPT" && !apart[wk.Name] {
		t.Errorf("contract: %+v", f.Contract)
	}
	switch want := promised[wk.Name]; {
	case want != "" && f.Value.Grade != want:
		t.Errorf("value: %+v, want %s", f.Value, want)
	case f.Value.Grade != run.Lossless && f.Value.Grade != run.Normalised && family != "json": // JSON has one number type
		t.Errorf("value: %+v", f.Value)
	}
	for _, c := range append(do(worker.Request{Cmd: worker.CmdChecks}).Checks, do(worker.Request{Cmd: worker.CmdDamage}).Checks...) {
		shared := known[wk.Name] && (c.Name == worker.CheckApart || c.Name == worker.CheckValues)
		if c.Result == "bad" && !panics[wk.Name] && !shared {
			t.Errorf("check %s: %s", c.Name, c.Detail)
		}
	}
	for _, m := range do(worker.Request{Cmd: worker.CmdModes}).Modes {
		n := do(worker.Request{Cmd: worker.CmdCalibrate, Op: m.Op, Mode: m.Mode, Target: time.Millisecond}).Calibrate.N
		if r := do(worker.Request{Cmd: worker.CmdRun, Op: m.Op, Mode: m.Mode, N: n}).Run; r.N != n || r.Wall <= 0 {
			t.Errorf("%s %s: %+v", m.Op, m.Mode, r)
		}
	}
}

// public are contenders that TestPublic builds without longtest: those whose other tests have only
// types of this repository.
var public = strings.Fields("fory hyperpb-native json-v2-go127 msgpack-array shamaton-array")

// TestPublic judges contenders on a type of a public module: a message of HAR, the browsers' format
// for recorded requests, on values made from names and types of its fields. With longtest it takes
// all that carry the type.
func TestPublic(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	s, err := plan.Resolve(t.Context(), plan.Options{Dir: "../..", Package: "github.com/chromedp/cdproto/har", Type: "Request"})
	if err != nil {
		t.Fatal(err)
	}
	target := &contender.Target{IR: s.IR, Root: s.Root, Expr: s.Expr}
	w, err := harness.New(t.Context(), harness.Config{Subject: s, Sources: os.DirFS("../.."), Runtime: "../../..", TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range available() {
		if !slices.Contains(public, info.Name) && (!longtest.Asked() || info.Plan(target) != nil) {
			continue
		}
		t.Run(info.Name, func(t *testing.T) {
			f := judged(t, w, info, target)
			if f.Contract.Grade != run.Kept && !apart[info.Name] {
				t.Errorf("contract: %+v", f.Contract)
			}
			if f.Value.Grade != run.Lossless && f.Value.Grade != run.Normalised {
				t.Errorf("value: %+v", f.Value)
			}
		})
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// required are the contenders without which a result says little.
var required = strings.Fields("std-json jsoniter sonic goccy easyjson gob gob-stream msgpack msgp cbor protobuf vtprotobuf fxjson zmy")

// TestRequired holds that all of them carry the two plain subjects, and eleven
// at least the one with dynamic parts.
func TestRequired(t *testing.T) {
	for _, c := range []struct {
		dir, typ string
		least    int
	}{{"result", "Result", len(required)}, {"sse", "SSEEvent", len(required)}, {"order", "Order", 11}} {
		_, target := resolve(t, c.dir, c.typ)
		carried := 0
		for _, info := range All() {
			if slices.Contains(required, info.Name) && info.Plan(target) == nil {
				carried++
			}
		}
		if carried < c.least {
			t.Errorf("%s: carried by %d of %d", c.dir, carried, c.least)
		}
	}
}

// TestCodecs: 22 codecs at least carry the two plain subjects, rows on types of
// their own and floors not counted; flatc and capnp are not needed for that.
func TestCodecs(t *testing.T) {
	for dir, typ := range map[string]string{"result": "Result", "sse": "SSEEvent"} {
		_, target := resolve(t, dir, typ)
		var names []string
		for _, i := range All() {
			if !i.Native && i.Family != contender.FamilyFloor && i.Plan(target) == nil {
				names = append(names, i.Name)
			}
		}
		if len(names) < 22 {
			t.Errorf("%s is carried by %d: %q", dir, len(names), names)
		}
	}
}

// TestUnranked: a codec whose messages cannot stand alone is not ranked beside those
// whose messages can.
func TestUnranked(t *testing.T) {
	for _, i := range Reflective() {
		if got := i.Rankless() != ""; got != (i.Name == "gob-stream") {
			t.Errorf("%s: rankless %q", i.Name, i.Rankless())
		}
	}
}

// TestAdopt: the calls that are printed have the options that the adapter measures.
func TestAdopt(t *testing.T) {
	for _, i := range Reflective() {
		if i.Adopt == nil && i.Unranked == "" && i.Name != run.Baseline {
			t.Errorf("%s does not say how it is taken up", i.Name)
		}
	}
	for _, i := range All() {
		if i.Adopt == nil || i.Native {
			continue
		}
		if !i.Adopt.Same && (i.Adopt.Marshal == "" || i.Adopt.Unmarshal == "") {
			t.Errorf("%s: Info.Adopt has no Marshal or no Unmarshal: write the calls that the adapter measures", i.Name)
		}
		files, err := contender.Adapter(i.Name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(files["adapter/adapter.go"]), "\nfunc New[T any]() worker.Contender[T] {") {
			continue // its calls are of generated code
		}
		var all strings.Builder // the adapter, and folders of shared that it imports
		for name, text := range files {
			if strings.HasSuffix(name, ".go") {
				all.Write(text)
			}
		}
		src := strings.Join(strings.Fields(all.String()), " ")
		said := strings.Join(strings.Fields(strings.Join([]string{i.Adopt.Setup, i.Adopt.Code, i.Adopt.Marshal, i.Adopt.Unmarshal}, " ")), " ")
		for _, spec := range append(slices.Clone(i.Adopt.Imports), i.Adopt.Import) {
			_, path, named := strings.Cut(spec, " ")
			if !named {
				path = strconv.Quote(spec)
			}
			if spec != "" && !strings.Contains(src, path) {
				t.Errorf("%s: the adapter does not import %s, which Adopt.Code does: the adapter must measure the code that "+
					"programs are told to write, so move it there or drop the import", i.Name, path)
			}
		}
		for _, option := range []string{"Time: cbor.TimeRFC3339Nano", "TimeTag: cbor.EncTagRequired", "cbor.TextMarshalerTextString",
			"cbor.TextUnmarshalerTextString",
			"cbor.IntDecConvertSignedOrBigInt", "reflect.TypeFor[map[string]any]()", "MaxArrayElements: 1 << 24", "MaxMapPairs: 1 << 24",
			"UseCompactInts(true)", "UseArrayEncodedStructs(true)",
			"ConfigStd.Marshal", "ConfigStd.Unmarshal", "jsoniter.ConfigCompatibleWithStandardLibrary",
			"jsonv1.DefaultOptionsV1()", "gob.Register"} {
			if strings.Contains(src, option) && !strings.Contains(said, option) {
				t.Errorf("%s is measured with %s, which %q does not say", i.Name, option, said)
			}
		}
	}
}
