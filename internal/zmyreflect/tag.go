package zmyreflect

import (
	"reflect"
	"strconv"
	"strings"
)

// tag is a struct tag zmy:"3,nilable".
type tag struct {
	set     bool
	skip    bool
	number  int
	nilable bool
	inline  bool
	time    form // formTime, formZone or formNano
}

func parseTag(f reflect.StructField) (t tag, err *TypeError) {
	t.time = formTime
	text, ok := f.Tag.Lookup("zmy")
	if !ok {
		return t, nil
	}
	if text == "-" {
		t.skip = true
		return t, nil
	}
	t.set = true
	number, opts, _ := strings.Cut(text, ",")
	n, bad := strconv.Atoi(number)
	if bad != nil || n < 0 {
		return t, fail(f.Name, `numbers start at 0: zmy:"0"`, "bad field number %q in struct tag zmy", number)
	}
	t.number = n
	for opt := range strings.SplitSeq(opts, ",") {
		switch opt {
		case "", "deprecated":
		case "nilable":
			t.nilable = true
		case "inline":
			t.inline = true
		case "zone":
			t.time = formZone
		case "unixnano":
			t.time = formNano
		default:
			return t, fail(f.Name, "options are deprecated, inline, nilable, unixnano and zone", "struct tag zmy has no option %q", opt)
		}
	}
	return t, nil
}
