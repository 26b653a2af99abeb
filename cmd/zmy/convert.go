package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/schema/dynamic"
)

const convertHelp = `usage: zmy convert [FILE] -from FORMAT -to FORMAT [-type PKG.TYPE] [flags]

Converts messages of ZMY native to JSON and back, and puts them into envelopes and
streams or takes them out. FILE is a file, or - or nothing for the standard input. Inputs
of any size pass in bounded memory, record by record, on all processors.

  json             one JSON document                     one record
  ndjson           a JSON document on each line          many
  zmy              a bare message                        one
  envelope         envelopes, one behind the other       many
  stream           a stream                              many

Without -from and -to the ends of the names .json .ndjson .jsonl .zmy say the formats;
envelopes and streams are also known by their first bytes. Those that are written
bring the schema of their type along.

` + schemaHelp + `
  -o FILE          write to FILE, all or nothing; by default to the standard output
  -force           replace FILE if it exists
  -lossless        JSON that gives back every message byte for byte: times, bytes and floats
                   inside any are marked, as {"$time":"…"}, unknown fields are members.
                   Without it JSON has the names and forms of encoding/json, but all fields:
                   a schema knows neither omitempty nor methods, so that an integer
                   type with MarshalText is its number
  -drop-unknown    pass over names in JSON that the type does not have; else they are errors
  -on-error WHAT   stop (default) at a record that cannot be converted, or skip it
  -max SIZE        largest message, 4M by default (K, M and G are powers of 1024). Readers
                   refuse more than 128K unless their option MaxWire is raised
  -compress NAME   zstd, lz4 or none (default): bodies of envelopes, chunks of streams
  -no-schema       write envelopes and streams without the schema block

  zmy convert orders.ndjson -to stream -type ./model.Order -compress zstd -o orders.zs
  zmy convert orders.zs -to ndjson | head
  zmy convert order.zmy -to json -lock model/zmy.lock -type Order

Exit codes: 0 ok (records that were skipped are counted at the end), 1 a record or the
input cannot be converted, 2 usage, 130 stopped by Ctrl-C or SIGTERM. Then -o has written nothing.
`

// convertFlags are the flags of zmy convert.
type convertFlags struct {
	schemaFlags
	from, to    string
	out         string
	force       bool
	lossless    bool
	dropUnknown bool
	onError     string
	max         int
	compress    string
	noSchema    bool
	file        string
}

var formatNames = []string{"json", "ndjson", "zmy", "envelope", "stream"}

var formatEnds = map[string]string{".json": "json", ".ndjson": "ndjson", ".jsonl": "ndjson", ".zmy": "zmy"}

func runConvert(ctx context.Context, c *console, args []string) error {
	f := &convertFlags{max: zmy.DefaultMaxRaw, onError: "stop", compress: "none"}
	fs := flag.NewFlagSet("convert", flag.ContinueOnError)
	f.register(fs)
	choice(fs, &f.from, "from", formatNames...)
	choice(fs, &f.to, "to", formatNames...)
	fs.StringVar(&f.out, "o", "", "")
	fs.BoolVar(&f.force, "force", false, "")
	fs.BoolVar(&f.lossless, "lossless", false, "")
	fs.BoolVar(&f.dropUnknown, "drop-unknown", false, "")
	choice(fs, &f.onError, "on-error", "stop", "skip")
	fs.Func("max", "", f.setMax)
	choice(fs, &f.compress, "compress", "none", "zstd", "lz4")
	fs.BoolVar(&f.noSchema, "no-schema", false, "")
	rest, err := parse(c, fs, convertHelp, args)
	if err != nil {
		return err
	}
	if err := f.complete(rest); err != nil {
		return visibly(err)
	}
	out := &output{name: f.out}
	err = stoppable(ctx, func() error { return f.run(ctx, c, out) })
	written := out.abandon()
	switch stopped := errors.Is(err, context.Canceled); {
	case stopped && written: // the signal came after the output was complete
		return nil
	case stopped && f.out != "":
		return &exit{fmt.Errorf("stopped; %s was not written", f.out), exitStopped}
	case stopped:
		return errStopped
	}
	return visibly(err)
}

// complete sets defaults and makes the checks that the flag package cannot make.
func (f *convertFlags) complete(rest []string) error {
	switch len(rest) {
	case 0:
		f.file = "-"
	case 1:
		f.file = rest[0]
	default:
		return misused("one file at a time, not %s", strings.Join(rest, " "))
	}
	f.from = cmp.Or(f.from, formatEnds[filepath.Ext(f.file)])
	f.to = cmp.Or(f.to, formatEnds[filepath.Ext(f.out)])
	if f.to == "" {
		return misused("what is to be written? no name of -o says it: -to %s", formatList)
	}
	if f.compress != "none" && f.to != "envelope" && f.to != "stream" {
		return misused("-compress is for envelopes and streams, not for %s", f.to)
	}
	if f.out != "" && f.out != "-" && !f.force {
		if _, err := os.Lstat(f.out); err == nil {
			return misused("%s exists; -force replaces it", f.out)
		}
	}
	return nil
}

const formatList = "json, ndjson, zmy, envelope or stream"

// unknownFormat is the error for an input whose format the user must name.
func unknownFormat(file string) error {
	if file == "-" {
		file = "the input"
	}
	return misused("which format has %s? neither its name nor its first bytes say it: -from %s", file, formatList)
}

func isText(format string) bool { return format == "json" || format == "ndjson" }

// run converts the file.
func (f *convertFlags) run(ctx context.Context, c *console, out *output) error {
	s, err := f.load(ctx)
	if err != nil {
		return err
	}
	in, size := stdin, int64(0)
	if f.file != "-" {
		file, err := os.Open(f.file)
		if err != nil {
			return misused("%w", err)
		}
		defer file.Close()
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
		in = file
	}
	count := &countingReader{r: in}
	src, err := f.source(count)
	if err != nil {
		return err
	}
	about, err := src.about()
	if err != nil {
		return err
	}
	step, err := f.step(s, about)
	if err != nil {
		return err
	}
	if err := out.open(c.stdout); err != nil {
		return err
	}
	dst, err := f.sink(out, step.codec, about)
	if err != nil {
		return err
	}
	p := &pipe{flags: f, src: src, step: step.convert, dst: dst, out: out, stderr: c.stderr}
	shown := showProgress(c.stderr, count, size, &p.records)
	err = p.run(ctx)
	shown()
	if err == nil {
		err = out.commit()
	}
	if err == nil && p.skipped > 0 {
		fmt.Fprintf(c.stderr, "zmy convert: %d records converted, %d skipped\n", p.records.Load(), p.skipped)
	}
	return err
}

// conversion converts records of one kind.
type conversion struct {
	codec   *dynamic.Codec // nil if the type is unknown
	convert func(dst, rec []byte) ([]byte, error)
}

// step chooses the conversion. JSON is parsed and written by the schema. Messages that stay
// messages are verified by the schema, if there is one.
func (f *convertFlags) step(s *schema.Schema, about zmy.Envelope) (conversion, error) {
	if s == nil && about.Schema != nil {
		c, err := dynamic.Of(about)
		if err != nil {
			return conversion{}, err
		}
		s = c.Schema()
	}
	if s == nil {
		if isText(f.from) || isText(f.to) {
			return conversion{}, misused("JSON needs the type: -type PKG.TYPE, or -lock FILE -type TYPE")
		}
		return conversion{convert: func(dst, rec []byte) ([]byte, error) { return append(dst, rec...), nil }}, nil
	}
	c, err := dynamic.New(s)
	if err != nil {
		return conversion{}, err
	}
	o := dynamic.JSONOptions{Lossless: f.lossless, DropUnknown: f.dropUnknown}
	wide, narrow := zmy.MarshalOptions{MaxWire: f.max}, zmy.UnmarshalOptions{MaxWire: f.max, NoCopy: true}
	read := func(dst, text []byte) ([]byte, error) {
		tree, err := c.ParseJSON(text, o)
		if err != nil {
			return dst, err
		}
		return c.AppendOptions(dst, tree, wide)
	}
	write := func(dst, msg []byte) ([]byte, error) {
		tree, err := c.DecodeOptions(msg, narrow)
		if err != nil {
			return dst, err
		}
		return c.AppendJSON(dst, tree, o)
	}
	switch {
	case isText(f.from) && isText(f.to):
		return conversion{c, func(dst, text []byte) ([]byte, error) {
			msg, err := read(nil, text)
			if err != nil {
				return dst, err
			}
			return write(dst, msg)
		}}, nil
	case isText(f.from):
		return conversion{c, read}, nil
	case isText(f.to):
		return conversion{c, write}, nil
	}
	return conversion{c, func(dst, msg []byte) ([]byte, error) { return append(dst, msg...), c.Verify(msg, narrow) }}, nil
}

// setMax parses -max.
func (f *convertFlags) setMax(text string) error {
	digits := strings.TrimRight(strings.ToUpper(text), "IB")
	shift := 0
	for i, unit := range []string{"K", "M", "G"} {
		if rest, ok := strings.CutSuffix(digits, unit); ok {
			digits, shift = rest, 10*(i+1)
		}
	}
	n, err := strconv.ParseInt(digits, 10, 31)
	if err != nil || n <= 0 || n<<shift > 1<<30 {
		return errors.New("it must be a size of 1 to 1G, such as 500K")
	}
	f.max = int(n << shift)
	return nil
}

// source reads the records of an input.
type source interface {
	// about returns the header of an envelope or stream, before its first record.
	about() (zmy.Envelope, error)
	// next appends the next record to dst, and returns where the record starts. After the last
	// record it returns io.EOF.
	next(dst []byte) (b []byte, at place, err error)
	// idle reports whether next might wait long for the next record.
	idle() bool
}

// place is the position at which a record starts.
type place struct {
	offset int64
	line   int // from 1; 0 if the format has no lines
}

func (p place) String() string {
	if p.line > 0 {
		return fmt.Sprintf("line %d, offset %d", p.line, p.offset)
	}
	return fmt.Sprintf("offset %d", p.offset)
}
