package fromproto

import (
	"strings"
	"unicode"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/pbtype"
)

// initialisms are words that Go writes in capitals.
var initialisms = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields("ACL API ASCII CPU CSS DNS EOF GUID HTML HTTP HTTPS ID IP JSON LHS QPS RAM RHS RPC SLA SMTP SQL " +
		"SSH TCP TLS TTL UDP UI UID UUID URI URL UTF8 VM XML XMPP XSRF XSS") {
		set[w] = true
	}
	return set
}()

// camel turns a name in snake case into a Go name: customer_id becomes CustomerID, or CustomerId if
// plain.
func camel(name string, plain bool) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		if up := strings.ToUpper(word); !plain && initialisms[up] {
			b.WriteString(up)
			continue
		}
		b.WriteString(ir.Title(word))
	}
	if out := b.String(); out != "" && unicode.IsUpper(rune(out[0])) {
		return out
	}
	return "X" + b.String()
}

// fieldName returns the Go name of a field. Of two forms it prefers the one from which package pbtype
// derives the name in the .proto file, so that the struct tag need not have it.
func fieldName(name string, taken map[string]bool) string {
	want := camel(name, false)
	if plain := camel(name, true); pbtype.Snake(want) != name && pbtype.Snake(plain) == name {
		want = plain
	}
	got := ir.Fresh(want, "", func(name string) bool { return taken[name] })
	taken[got] = true
	return got
}

// methods are the names that the generated methods of a struct have. Fields cannot have them.
var methods = []string{"AppendProto", "SizeProto", "UnmarshalProto", "VerifyProto", "ResetProto", "ProtoType"}

// valueName returns the name of an enum's value without that of the enum, which values have in front
// by the usual rule: STATUS_PAID of Status becomes Paid.
func valueName(value, enum string) string {
	rest, ok := strings.CutPrefix(value, strings.ToUpper(pbtype.Snake(enum))+"_")
	if !ok || strings.Trim(rest, "_") == "" {
		rest = value
	}
	if strings.ToUpper(rest) == rest {
		rest = strings.ToLower(rest)
	}
	var b strings.Builder
	for word := range strings.SplitSeq(rest, "_") {
		if up := strings.ToUpper(word); initialisms[up] {
			word = up
		}
		b.WriteString(ir.Title(word))
	}
	return b.String()
}

// goName returns the name of a message or an enum before clashes are resolved: Order.Item is
// OrderItem.
func goName(d protoreflect.Descriptor) string {
	name := camel(string(d.Name()), true)
	if _, top := d.Parent().(protoreflect.FileDescriptor); top {
		return name
	}
	return goName(d.Parent()) + name
}

// declared calls yield for the messages and enums of a file or a message, in the order in which they
// are declared, and for those within them. Entries of maps are left out.
func declared(d interface {
	Messages() protoreflect.MessageDescriptors
	Enums() protoreflect.EnumDescriptors
}, yield func(protoreflect.Descriptor)) {
	for i := range d.Messages().Len() {
		if m := d.Messages().Get(i); !m.IsMapEntry() {
			yield(m)
			declared(m, yield)
		}
	}
	for i := range d.Enums().Len() {
		yield(d.Enums().Get(i))
	}
}
