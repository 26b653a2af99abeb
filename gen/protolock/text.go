package protolock

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/internal/locktext"
	"github.com/zmylab/zmy/internal/pbtype"
)

const (
	header = "# zmy.proto.lock: what the protobuf messages of this package's types look like. Commit it.\n# zmy lock brings it up to date, " +
		"zmy breaking compares the source with it.\n"
	version = "zmyproto 1"
)

// Text returns the file's content. Each type has a paragraph and each field a line of its own, so that
// git merges the additions of two branches as it merges source.
//
//	message Order
//		1 id string
//		2 items repeated Item
//		3 card string oneof=payment
//		4 labels map<string,string>
//		5 old_note optional string json=note reserved
//		reserved 7 to 9
//		reserved "older_note"
//
//	enum State
//		0 STATE_UNSPECIFIED
//		1 STATE_PAID
func (f *File) Text() []byte {
	var b strings.Builder
	b.WriteString(header + version + "\n")
	for _, t := range f.Types {
		b.WriteString("\n" + string(t.Kind) + " " + locktext.Quote(t.Name) + "\n")
		for i := range t.Fields {
			b.WriteString("\t" + t.Fields[i].line() + "\n")
		}
		for _, v := range t.Values {
			b.WriteString("\t" + flagged(fmt.Sprintf("%d %s", v.Number, locktext.Quote(v.Name)), "reserved", v.Reserved) + "\n")
		}
		for _, r := range t.Reserved {
			b.WriteString("\treserved " + pbtype.Ranges{r}.Text(t.last()) + "\n")
		}
		for _, name := range t.Names {
			b.WriteString("\treserved " + strconv.Quote(name) + "\n")
		}
	}
	return []byte(b.String())
}

// last returns the number that max stands for in reserved ranges.
func (t *Type) last() int32 {
	if t.Kind == Enum {
		return pbtype.MaxEnumValue
	}
	return pbtype.MaxField
}

func (f *Field) line() string {
	s := fmt.Sprintf("%d %s", f.Number, locktext.Quote(f.Name))
	s = flagged(s, "repeated", f.Repeated)
	s = flagged(s, "optional", f.Optional)
	s += " " + locktext.Quote(f.typeText())
	s = flagged(s, "unpacked", f.Unpacked)
	s = flagged(s, "group", f.Group)
	if f.Oneof != "" {
		s += " oneof=" + locktext.Quote(f.Oneof)
	}
	if f.JSON != pbtype.JSONName(f.Name) {
		s += " json=" + locktext.Quote(f.JSON)
	}
	return flagged(s, "reserved", f.Reserved)
}

func flagged(s, word string, on bool) string {
	if on {
		return s + " " + word
	}
	return s
}
