package pbwire

// ConsumeValue skips the value of a field whose tag was read before. For a group the length
// includes the end of the group. levels is how many groups may be nested within a group, MaxDepth
// at most.
func ConsumeValue(num int32, t Type, b []byte, levels int) (n int) {
	switch t {
	case VarintType:
		_, n = ConsumeVarint(b)
	case Fixed32Type:
		_, n = ConsumeFixed32(b)
	case Fixed64Type:
		_, n = ConsumeFixed64(b)
	case BytesType:
		_, n = ConsumeBytes(b)
	case StartGroupType:
		n = consumeGroup(num, b, levels)
	case EndGroupType:
		n = codeGroup
	default:
		n = codeType
	}
	return n
}

// consumeGroup skips the fields of group num and its end.
func consumeGroup(num int32, b []byte, levels int) int {
	if levels < 0 {
		return codeDepth
	}
	for at := 0; ; {
		inner, t, n := consumeTag(b[at:])
		if n < 0 {
			return n
		}
		at += n
		if t == EndGroupType {
			if inner != num {
				return codeGroup
			}
			return at
		}
		if n = ConsumeValue(inner, t, b[at:], levels-1); n < 0 {
			return n
		}
		at += n
	}
}
