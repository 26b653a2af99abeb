package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/schema/dissect"
	"github.com/zmylab/zmy/schema/dynamic"
)

// NOTE: file finds out the format. envelope and stream (inspect_envelope.go) show what is around
// messages, and learn the schema from them if there is no other. message shows a message, part by
// part, with the lines of inspect_view.go. A damaged message is shown like a sound one: first its
// error is found by Verify, then the part at fault is marked.

const inspectHelp = `usage: zmy inspect FILE [-type PKG.TYPE] [flags]

Shows what stands in a message of ZMY native, byte by byte: offset, bytes, field and
meaning. FILE is a file, or - for the standard input. A damaged message is shown as
far as it can be understood; the bytes at fault are marked, and the exact error
with its code, path and offset stands at the end.

Without a schema the skeleton is left: headers, sections, ends, and guesses at what
the tails hold, marked "guess". The schema comes from a Go type, from a zmy.lock, or
from the envelope or stream itself if that brings one.

` + schemaHelp + `
  -format FORMAT   hex (default): offset, bytes, field, meaning; tree: fields and values;
                   json: the message as JSON, which needs a schema
  -field PATH      show one field: Items[3].Price, Metadata["k"]
  -all             show all elements of long lists and all bytes of long values
  -record N        of a stream only record N, counted from 0; by default the first 10
  -bare            it is a bare message, whatever its first bytes are
  -envelope        it is an envelope
  -stream          it is a stream

What begins with the bytes of an envelope or a stream is taken for one, and the first
line says so; everything else is a bare message.

  zmy inspect order.zmy -type ./model.Order
  zmy inspect order.zmy -lock model/zmy.lock -type Order -format tree
  curl -s localhost:8080/orders | zmy inspect - -stream -record 3

Exit codes: 0 ok, 1 what was read is no message (it is shown as far as possible), 2 usage,
130 stopped by Ctrl-C or SIGTERM.
`

// maxInspect is the size of the largest message that is read, in bytes.
const maxInspect = 1 << 30

// inspectFlags are the flags of zmy inspect.
type inspectFlags struct {
	schemaFlags
	format                 string
	field                  string
	all                    bool
	record                 int
	bare, envelope, stream bool
	file                   string
}

func runInspect(ctx context.Context, c *console, args []string) error {
	f := &inspectFlags{format: "hex"}
	fs := flag.NewFlagSet("inspect", flag.ContinueOnError)
	f.register(fs)
	choice(fs, &f.format, "format", "hex", "tree", "json")
	fs.StringVar(&f.field, "field", "", "")
	fs.BoolVar(&f.all, "all", false, "")
	fs.IntVar(&f.record, "record", -1, "")
	fs.BoolVar(&f.bare, "bare", false, "")
	fs.BoolVar(&f.envelope, "envelope", false, "")
	fs.BoolVar(&f.stream, "stream", false, "")
	rest, err := parse(c, fs, inspectHelp, args)
	if err == nil {
		err = f.complete(rest)
	}
	if err == nil {
		err = stoppable(ctx, func() error { return f.run(ctx, c) })
	}
	if errors.Is(err, context.Canceled) {
		return errStopped
	}
	return visibly(err)
}

func (f *inspectFlags) complete(rest []string) error {
	switch {
	case len(rest) == 0:
		return misused("name a file, or - for the standard input: zmy inspect order.zmy -type ./model.Order")
	case len(rest) > 1:
		return misused("one file at a time; the type goes behind -type: zmy inspect %s -type %s.Order", rest[0], rest[1])
	case f.bare && f.envelope, f.bare && f.stream, f.envelope && f.stream:
		return misused("-bare, -envelope and -stream exclude each other")
	case f.field != "" && f.format == "json":
		return misused("-field is for -format hex and tree")
	}
	f.file = rest[0]
	return nil
}

// run shows the file.
func (f *inspectFlags) run(ctx context.Context, c *console) error {
	in := stdin
	if f.file != "-" {
		file, err := os.Open(f.file)
		if err != nil {
			return misused("%w", err)
		}
		defer file.Close()
		in = file
	}
	s, err := f.load(ctx)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(c.stdout)
	v := &viewer{f: f, s: s, w: out, style: styleOf(c.stdout)}
	err = v.file(bufio.NewReaderSize(in, 64<<10))
	if ferr := out.Flush(); err == nil {
		err = ferr
	}
	return err
}

// stdin is the standard input. Tests replace it.
var stdin io.Reader = os.Stdin

// viewer shows one file.
type viewer struct {
	f *inspectFlags
	s *schema.Schema // nil if the schema is unknown
	w *bufio.Writer
	style
}

// openOptions returns options with very high limits: the user wants to see any message.
func openOptions() (zmy.OpenOptions, error) {
	list, err := compressors()
	return zmy.OpenOptions{
		Unmarshal:   zmy.UnmarshalOptions{MaxWire: maxInspect, MaxRaw: maxInspect},
		Compressors: list,
	}, err
}

// head is the size of the header of envelopes and streams.
const head = zmy.EnvelopeOverhead

// magicLen is the number of bytes by which envelopes and streams are recognised: four of magic and
// version, and one of flags.
const magicLen = 5

// formatOf recognises an envelope or a stream by the first bytes of a file. Otherwise it returns
// "": a bare message has no mark.
func formatOf(first []byte) string {
	switch {
	case !bytes.HasPrefix(first, []byte("ZMY\x01")):
		return ""
	case len(first) >= magicLen && first[magicLen-1]&(1<<4) != 0:
		return "stream"
	}
	return "envelope"
}

// file recognises the format of the file and shows it.
func (v *viewer) file(r *bufio.Reader) error {
	first, err := r.Peek(head)
	if err != nil && err != io.EOF {
		return err
	}
	format, f := formatOf(first), v.f
	told := "; -bare takes it for a bare message"
	switch {
	case f.bare && format != "":
		v.say("A bare message, though it begins like an envelope or a stream.")
	case f.bare:
	case f.stream:
		return v.stream(r, "")
	case f.envelope:
		return v.envelope(r, "")
	case format == "stream":
		return v.stream(r, "by its first bytes"+told)
	case format == "envelope":
		return v.envelope(r, "by its first bytes"+told)
	}
	b, err := readAll(r)
	if err != nil {
		return err
	}
	if len(b) == 0 {
		return errors.New("there is nothing: a message has at least 4 bytes")
	}
	return v.message(b, "bare message")
}

// readAll reads a message into memory.
func readAll(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxInspect+1))
	if err == nil && len(b) > maxInspect {
		err = fmt.Errorf("more than %s: this is no message to look at; zmy convert reads streams of any size", bytesOf(maxInspect))
	}
	return b, err
}

// say writes a line of information about the file, except with -format json.
func (v *viewer) say(format string, args ...any) {
	if v.f.format != "json" {
		fmt.Fprintf(v.w, format+"\n", args...)
	}
}

// message shows one bare message.
func (v *viewer) message(b []byte, what string) error {
	var codec *dynamic.Codec
	var bad error
	if v.s != nil {
		var err error
		if codec, err = dynamic.New(v.s); err != nil {
			return err
		}
		bad = codec.Verify(b, zmy.UnmarshalOptions{MaxWire: maxInspect})
	}
	if v.f.format == "json" {
		return v.json(codec, b, bad)
	}
	about := ""
	switch {
	case v.s != nil:
		about = fmt.Sprintf(" of type %s, fingerprint %016x", visible(cmp.Or(v.s.Types[0].Name, "without a name")), v.s.Fingerprint())
	default:
		about = ", type not known: its skeleton, and guesses (name the type by -type PKG.TYPE)"
	}
	fault := faultOf(bad)
	switch {
	case v.s != nil && bad == nil:
		about += ", valid"
	case fault.offset >= 0:
		about += v.in(red, fmt.Sprintf(", NOT VALID: %s at offset %d (%#x)", fault.code, fault.offset, fault.offset))
	}
	v.say("%s, %s%s", what, bytesOf(len(b)), about)
	if len(b) > zmy.DefaultMaxWire {
		v.say("larger than the default limit of %s: readers need option MaxWire", bytesOf(zmy.DefaultMaxWire))
	}
	o := dissect.Options{Field: v.f.field, MaxElems: 8}
	if v.f.all {
		o.MaxElems = 0
	}
	shown := 0
	for p := range o.Message(v.s, b) {
		if p.Role != dissect.Group || v.f.field == "" || p.Path == v.f.field {
			shown++
		}
		p.Path, p.Type, p.Text = visible(p.Path), visible(p.Type), visible(p.Text)
		if v.f.format == "tree" {
			v.treeLine(p, fault)
		} else {
			v.hexLines(p, b, fault)
		}
		if why, damaged := strings.CutPrefix(p.Text, "damaged: "); damaged && v.s == nil && p.Depth == 0 {
			bad = errors.New("no message: " + why)
		}
	}
	if v.f.field != "" && shown == 0 {
		return misused("-field %s: there is no such field in this message", v.f.field)
	}
	if fault.code != "" {
		bad = fmt.Errorf("%w (code %s)", bad, fault.code)
	}
	return bad
}

// json writes the message as one line of JSON.
func (v *viewer) json(c *dynamic.Codec, b []byte, bad error) error {
	if c == nil {
		return misused("-format json needs the type: -type PKG.TYPE or -lock FILE -type TYPE; without one there is -format hex")
	}
	if bad != nil {
		return fmt.Errorf("%w; -format hex shows what is there", bad)
	}
	tree, err := c.DecodeOptions(b, zmy.UnmarshalOptions{MaxWire: maxInspect})
	if err != nil {
		return err
	}
	text, err := c.AppendJSON(nil, tree, dynamic.JSONOptions{})
	if err != nil {
		return err
	}
	_, err = v.w.Write(append(text, '\n'))
	return err
}
