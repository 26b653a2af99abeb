package ir

import "github.com/zmylab/zmy/internal/pbtype"

// The plan of protobuf messages for types of source code. Package pbtype makes it, for reflection
// too; its documentation says what the fields mean.
type (
	ProtoMessage = pbtype.MessageType[*Type, *Field]
	ProtoField   = pbtype.Field[*Type, *Field]
	ProtoValue   = pbtype.Value[*Type, *Field]
)

// A ProtoPlan says how protobuf messages carry the roots of a package and all structs within them.
// check.Proto makes it, emitters read it, and it never changes.
type ProtoPlan struct {
	Messages []*ProtoMessage // each struct once, in the order in which they are reached
	Notes    Problems        // exported fields without a struct tag
}
