package check

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/describe"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/pbtype"
)

// ProtoFile plans the .proto file for the roots of the package: structs with numbered fields become
// messages, interfaces with methods services. pkg is the package of the .proto file, "" for the name
// of the Go package. recorded returns the numbers and names that a type has or had, by its record; those
// not in use are reserved in the file. It may be nil. Notes list exported fields without a struct tag.
// The error is an ir.Problems.
func ProtoFile(p *ir.Package, pkg string, recorded func(*ir.Type) Reserved) (file *ir.ProtoFile, notes ir.Problems, err error) {
	c := &schemaCheck{
		protoChecker: protoChecker{src: protoSource{zmySource: zmySource{pkg: p.Path}}, pkg: p, plan: &ir.ProtoPlan{}, seen: map[*ir.Type]bool{}},
		file:         &ir.ProtoFile{Package: cmp.Or(pkg, p.Name), GoPackage: goPackage(p)},
		names:        protoNames{}, values: protoNames{}, messages: map[*ir.Type]*message{}, enums: map[*ir.Type]string{},
		recorded: recorded,
	}
	c.services(pkg)
	if !packageForm.MatchString(c.file.Package) {
		return nil, nil, fmt.Errorf("-package=%s is not the name of a package in a .proto file; write shop.v1", c.file.Package)
	}
	for _, t := range p.Roots {
		if t.Kind != ir.Interface && t.Kind != ir.Any {
			c.compile(t)
		}
	}
	for _, m := range c.plan.Messages {
		c.declare(m)
	}
	for _, m := range c.plan.Messages {
		if m.Type.Name != nil && !isAny(m.Type) {
			c.fields(m)
		}
	}
	c.rpcs()
	if err := c.problems.Err(); err != nil {
		return nil, nil, err
	}
	c.finish()
	return c.file, c.plan.Notes, nil
}

var packageForm = regexp.MustCompile(`^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$`)

// schemaCheck decides what a .proto file says. It declares messages before it reads their fields,
// which may refer to any of them.
type schemaCheck struct {
	protoChecker
	file     *ir.ProtoFile
	grpc     []*ir.GRPCPlan
	names    protoNames // of messages, enums and services
	values   protoNames // of the values of all enums, which share a scope
	messages map[*ir.Type]*message
	enums    map[*ir.Type]string     // names
	recorded func(*ir.Type) Reserved // nil for none
	groups   bool                    // a field is a group
	raw      bool                    // a string is not checked
}

// message is a declared message.
type message struct {
	*ir.ProtoMessageDecl
	full string // name relative to the file's package: Order.Item
}

// declare adds the message of a named struct to the file. Structs without a name are declared within
// the message that has them, by field.
func (c *schemaCheck) declare(m *ir.ProtoMessage) {
	if m.Type.Name == nil {
		return
	}
	if isAny(m.Type) {
		c.messages[m.Type] = &message{full: c.google("any", "google.protobuf.Any")}
		return
	}
	d := &ir.ProtoMessageDecl{Name: c.names.take(protoSpelling.Word(m.Type)), Doc: m.Type.Name.Doc}
	c.messages[m.Type] = &message{d, d.Name}
	c.file.Messages = append(c.file.Messages, d)
	var used Reserved
	for _, f := range m.Fields {
		used.Numbers = append(used.Numbers, pbtype.Range{From: f.Number, To: f.Number})
		used.Names = append(used.Names, ProtoNames(&f).Proto)
	}
	d.Deprecated, d.Reserved = describe.Deprecated(d.Doc), c.reserved(m.Type, used)
}

// isAny reports whether t is fxproto.Any.
func isAny(t *ir.Type) bool { return named(t, pbtype.UnknownPkg, "Any") }

// reservedDirective keeps numbers and names of removed fields from being used again.
const reservedDirective = "zmy:proto-reserved "

// reserved returns the words behind the keyword reserved for a type: those of its directives, and the
// numbers and names of its record that are in neither the directives nor use.
func (c *schemaCheck) reserved(t *ir.Type, used Reserved) (out []string) {
	own, problems := ProtoReserved(t)
	if c.problems = append(c.problems, problems...); len(problems) > 0 {
		return nil
	}
	for _, d := range t.Name.Dirs {
		if text, ok := strings.CutPrefix(d, reservedDirective); ok {
			out = append(out, strings.TrimSpace(text))
		}
	}
	if c.recorded == nil {
		return out
	}
	past := c.recorded(t)
	if numbers := past.Numbers.Without(own.Numbers.Union(used.Numbers)); len(numbers) > 0 {
		out = append(out, numbers.Text(lastNumber(t)))
	}
	var names []string
	for _, name := range past.Names {
		if !slices.Contains(own.Names, name) && !slices.Contains(used.Names, name) {
			names = append(names, protoString(name))
		}
	}
	if len(names) > 0 {
		out = append(out, strings.Join(names, ", "))
	}
	return out
}

// fields adds the fields of a message, in the order of their declaration. Arms of a oneof join it
// where its first arm is declared.
func (c *schemaCheck) fields(m *ir.ProtoMessage) {
	d := c.messages[m.Type]
	names := map[string]*ir.Field{}
	oneofs := map[int]int{} // index in Members by index in m.Oneofs
	for _, f := range declared(m) {
		of := f.Of
		decl := c.field(d, f)
		json := ProtoNames(f).JSON
		if first := cmp.Or(names[decl.Name], names["json:"+json]); first != nil {
			msg := fmt.Sprintf("is called %s in .proto files and %s in JSON; field %s has one of these names", decl.Name, json, first.Name)
			if f.Arm != nil {
				msg = "its arm " + f.Arm.Type.Name.Name + " " + msg
			}
			c.problem(of, msg,
				`give it another one, as in proto:"3,name:other"`)
		}
		names[decl.Name], names["json:"+json] = of, of
		if f.Oneof < 0 {
			d.Members = append(d.Members, ir.ProtoMember{ProtoFieldDecl: decl})
			continue
		}
		at, ok := oneofs[f.Oneof]
		if !ok {
			at = len(d.Members)
			oneofs[f.Oneof] = at
			oneof := ir.ProtoMember{Oneof: m.Oneofs[f.Oneof]}
			if f.Arm != nil {
				doc, _, _ := strings.Cut(of.Doc, "Types that are valid to be assigned to ") // written by protoc-gen-go
				oneof.Doc = strings.TrimSpace(doc)
			}
			d.Members = append(d.Members, oneof)
		}
		d.Members[at].Arms = append(d.Members[at].Arms, decl)
	}
	for _, i := range oneofs {
		if name := d.Members[i].Oneof; names[name] != nil {
			c.problem(names[name], "the oneof "+name+" has the name of a field", "rename one")
		}
	}
}

// declared returns the fields of m in the order of their declaration, and arms of an interface by number.
func declared(m *ir.ProtoMessage) (out []*ir.ProtoField) {
	for _, of := range m.Type.Fields {
		for i := range m.Fields {
			if m.Fields[i].Of == of {
				out = append(out, &m.Fields[i])
			}
		}
	}
	return out
}

// docOf returns the comment of a field or an arm. That of a message that is an arm is at the message.
func docOf(f *ir.ProtoField) string {
	switch {
	case f.Arm == nil:
		return f.Of.Doc
	case f.Arm.Inner != nil:
		return f.Arm.Inner.Of.Doc
	}
	return ""
}

// field declares a field of the message d.
func (c *schemaCheck) field(d *message, f *ir.ProtoField) ir.ProtoFieldDecl {
	names := ProtoNames(f)
	out := ir.ProtoFieldDecl{Name: names.Proto, Number: f.Number, Doc: c.remarks(f), Type: c.value(d, f, &f.Value)}
	group, raw := f.Value.Kind == pbtype.Group, f.Value.Raw
	number := f.Value.Kind.IsNumber() || f.Value.Kind == pbtype.String || f.Value.Kind == pbtype.Bytes || f.Value.Kind.IsOwn()
	switch {
	case f.Shape == pbtype.Map:
		raw = raw || f.Key.Raw
		out.Type = "map<" + c.value(d, f, &f.Key) + ", " + out.Type + ">"
	case f.Shape == pbtype.List:
		out.Label = "repeated"
		if f.Value.Kind.IsNumber() && !f.Packed {
			out.Options = append(out.Options, "packed = false")
		}
	case f.Oneof < 0 && number && f.Presence != pbtype.Implicit:
		out.Label = "optional"
	}
	if group {
		out.Options = append(out.Options, "features.message_encoding = DELIMITED")
	}
	if raw {
		out.Options = append(out.Options, "features.utf8_validation = NONE")
	}
	if names.JSON != pbtype.JSONName(names.Proto) {
		out.Options = append(out.Options, fmt.Sprintf("json_name = %s", protoString(names.JSON)))
	}
	if describe.Deprecated(docOf(f)) {
		out.Options = append(out.Options, "deprecated = true")
	}
	c.groups, c.raw = c.groups || group, c.raw || raw
	return out
}

// bounds says which values integers of 8 and 16 bits have, unlike those of protobuf.
var bounds = map[ir.Kind]string{
	ir.Int8: "From -128 to 127.", ir.Int16: "From -32768 to 32767.", ir.Uint8: "Up to 255.", ir.Uint16: "Up to 65535.",
}

// remarks returns the comment of a field, with what its type in the .proto file does not say.
func (c *schemaCheck) remarks(f *ir.ProtoField) string {
	doc := docOf(f)
	add := func(text string) {
		if doc != "" {
			doc += "\n\n"
		}
		doc += text
	}
	for _, v := range []*ir.ProtoValue{&f.Key, &f.Value} {
		switch {
		case v.Kind == pbtype.Text:
			add("In the form of MarshalText of " + c.src.Name(v.Type) + ".")
		case v.Kind == pbtype.Binary:
			add("In the form of MarshalBinary of " + c.src.Name(v.Type) + ".")
		case v.Narrow:
			add(bounds[v.Type.Kind])
		case v.Len > 0:
			add(fmt.Sprintf("Its length is %d or 0.", v.Len))
		case v.Type != nil && v.Type.Kind == ir.Duration && v.Kind != pbtype.Duration:
			add("In nanoseconds.")
		}
	}
	return doc
}

// value returns the name of a value's type.
func (c *schemaCheck) value(d *message, f *ir.ProtoField, v *ir.ProtoValue) string {
	switch v.Kind {
	case pbtype.Message, pbtype.Group:
		return c.reference(d, f, v).full
	case pbtype.Timestamp:
		return c.google("timestamp", v.Kind.String())
	case pbtype.Duration:
		return c.google("duration", v.Kind.String())
	case pbtype.Wrapper:
		return c.google("wrappers", pbtype.WrapperName(v.Wrapped))
	case pbtype.DynamicValue, pbtype.DynamicStruct, pbtype.DynamicList:
		return c.google("struct", v.Kind.String())
	case pbtype.Enum:
		if name := c.enum(v.Type); name != "" {
			return name
		}
		return pbtype.Int32.String() // the same bytes
	}
	return v.Kind.String()
}

// google returns the name of a message of package google.protobuf, and imports its file.
func (c *schemaCheck) google(file, name string) string {
	if file = "google/protobuf/" + file + ".proto"; !slices.Contains(c.file.Imports, file) {
		c.file.Imports = append(c.file.Imports, file)
	}
	if slices.Contains(strings.Split(c.file.Package, ".")[1:], "google") {
		return "." + name // the name google is also that of the file's package
	}
	return name
}

// reference returns the message of a value. If its struct has no name, and the field is the first
// that has it, the message is declared within d.
func (c *schemaCheck) reference(d *message, f *ir.ProtoField, v *ir.ProtoValue) *message {
	if m := c.messages[v.Type]; m != nil {
		return m
	}
	name := f.Name
	if f.Arm != nil {
		name = f.Arm.Inner.Name
	}
	decl := &ir.ProtoMessageDecl{Name: c.names.take(camel(name))}
	m := &message{decl, d.full + "." + decl.Name}
	c.messages[v.Type] = m
	d.Nested = append(d.Nested, decl)
	c.fields(v.Message)
	return m
}

// services plans the interfaces among the roots, and finds the package that their names have.
func (c *schemaCheck) services(pkg string) {
	for _, t := range c.pkg.Roots {
		if t.Kind != ir.Interface && t.Kind != ir.Any {
			continue
		}
		g := &grpcCheck{pkg: c.pkg, plan: &ir.GRPCPlan{}, names: map[string]ir.Pos{}}
		g.service(t)
		c.problems = append(c.problems, g.problems...)
		if len(g.problems) > 0 {
			continue
		}
		for _, m := range g.messages {
			c.compile(m)
		}
		c.grpc = append(c.grpc, g.plan)
		in := ""
		if dot := strings.LastIndexByte(g.plan.Service, '.'); dot > 0 {
			in = g.plan.Service[:dot]
		}
		if pkg == "" && len(c.grpc) == 1 && in != "" {
			c.file.Package = in
		}
		if in != c.file.Package {
			c.problems = append(c.problems, ir.Problem{Pos: t.Pos, Path: c.src.Name(t),
				Msg:  fmt.Sprintf("the service is called %s, which is not in package %s of the .proto file", g.plan.Service, c.file.Package),
				Hint: fmt.Sprintf("use -package=%s, or name it: //zmy:service %s.%s", in, c.file.Package, t.Name.Name)})
		}
	}
}

// rpcs adds the services to the file.
func (c *schemaCheck) rpcs() {
	if len(c.problems) > 0 {
		return
	}
	for _, g := range c.grpc {
		name := g.Service[strings.LastIndexByte(g.Service, '.')+1:]
		if c.names[name] {
			c.problems = append(c.problems, ir.Problem{Pos: g.Interface.Pos, Path: c.src.Name(g.Interface),
				Msg:  "a message or another service is called " + name + " too",
				Hint: "name it: //zmy:service " + c.file.Package + "." + name + "Service"})
		}
		c.names[name] = true
		s := &ir.ProtoService{Name: name, Doc: g.Interface.Name.Doc, Deprecated: describe.Deprecated(g.Interface.Name.Doc)}
		for _, m := range g.Methods {
			s.Methods = append(s.Methods, ir.ProtoRPC{Name: m.Name, Doc: m.Method.Doc, In: c.messages[m.In].full, Out: c.messages[m.Out].full,
				StreamsIn:  m.Kind == ir.GRPCClientStream || m.Kind == ir.GRPCBidiStream,
				StreamsOut: m.Kind == ir.GRPCServerStream || m.Kind == ir.GRPCBidiStream, Deprecated: describe.Deprecated(m.Method.Doc)})
		}
		c.file.Services = append(c.file.Services, s)
	}
}

// finish decides the edition, and puts options in the form that it has.
func (c *schemaCheck) finish() {
	slices.Sort(c.file.Imports)
	if c.groups {
		c.file.Why = append(c.file.Why, "groups")
	}
	if c.raw {
		c.file.Why = append(c.file.Why, "strings that are not checked for UTF-8")
	}
	if c.file.Edition = len(c.file.Why) > 0; !c.file.Edition {
		return
	}
	for _, m := range c.file.Messages {
		toEdition(m)
	}
	for _, e := range c.file.Enums {
		unquote(e.Reserved)
	}
}

// toEdition replaces what proto3 says by a label or an option with a feature.
func toEdition(m *ir.ProtoMessageDecl) {
	change := func(f *ir.ProtoFieldDecl) {
		if f.Label == "optional" {
			f.Label, f.Options = "", append([]string{"features.field_presence = EXPLICIT"}, f.Options...)
		}
		if i := slices.Index(f.Options, "packed = false"); i >= 0 {
			f.Options[i] = "features.repeated_field_encoding = EXPANDED"
		}
	}
	for i := range m.Members {
		change(&m.Members[i].ProtoFieldDecl)
		for k := range m.Members[i].Arms {
			change(&m.Members[i].Arms[k])
		}
	}
	unquote(m.Reserved)
	for _, e := range m.Enums {
		unquote(e.Reserved)
	}
	for _, n := range m.Nested {
		toEdition(n)
	}
}

// unquote writes reserved names as identifiers, as editions have them.
func unquote(reserved []string) {
	for i, r := range reserved {
		reserved[i] = strings.ReplaceAll(r, `"`, "")
	}
}

// goPackage returns the option go_package: the import path, and the package's name if it is not the
// last element of the path.
func goPackage(p *ir.Package) string {
	if p.Path[strings.LastIndexByte(p.Path, '/')+1:] == p.Name {
		return p.Path
	}
	return p.Path + ";" + p.Name
}
