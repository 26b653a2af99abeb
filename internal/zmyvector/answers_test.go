package zmyvector

import "github.com/zmylab/zmy/internal/zmymodel"

// answers are inputs for the sentences of spec/FORMAT.md that say what an implementer could not
// know from its tables alone.
func answers() map[string][]raw {
	exact, shallow := zmymodel.Limits{Exact: true}, zmymodel.Limits{MaxDepth: 1}
	var out []raw
	add := func(c raw, l zmymodel.Limits) { c.limits = l; out = append(out, c) }

	// Section 2, reserved numbers: a reader of its own version only refuses what stands there,
	// zero bytes in a tail too, unless it keeps unknown parts.
	for _, reader := range []string{"Retired", "RetiredKeep"} {
		for _, c := range []struct{ id, hex string }{
			{"reserved scalar", "0c000100 07000000 000000000000f83f 1800 1800 1800 1800"},
			{"reserved tail", "0c000100 00000000 000000000000f83f 1900 1900 1900 1900 61"},
			{"reserved tail of a zero byte", "0c000100 00000000 000000000000f83f 1900 1900 1900 1900 00"},
			{"reserved places empty", "0c000100 00000000 000000000000f83f 1800 1800 1800 1800"},
		} {
			add(raw{id: c.id, reader: reader, b: unhex(c.hex)}, zmymodel.Limits{})
			add(raw{id: c.id + ", exact", reader: reader, b: unhex(c.hex)}, exact)
			out = append(out, budgets(reader, unhex(c.hex), c.id)...)
		}
	}

	// Sections 6 and 10: of a map the whole column of strings goes before COUNT and the budget.
	// Its values are named by their index.
	counts := tail("bad string before counts", "Maps", 0, "0a00 0600 0700 0800 6162 0400 0500 ff")
	add(counts, zmymodel.Limits{})
	second := tail("bad string before the budget", "Maps", 0, "0a00 0600 0700 0800 6162 0600 0700 0800 61ff")
	add(second, zmymodel.Limits{})
	add(raw{id: second.id + ", 1", reader: second.reader, b: second.b}, zmymodel.Limits{Budget: 1})
	add(tail("bad bytes by their key", "Maps", 12, "0700 0400 0500 61 0400 0800 0300 02 61"), zmymodel.Limits{})

	// Section 6: the value column of a set is empty.
	add(tail("set of numbers with values", "Maps", 11, "0600 01000000 00"), zmymodel.Limits{})

	// Section 10: ZERO inside a sparse struct stands at the struct.
	add(tail("zero scalar in an element", "Lists", 23, "0400 0c00 02000010 01 01 0000"), zmymodel.Limits{})
	add(tail("zero scalar in a value", "Maps", 14, "0700 0400 0500 61 0400 0c00 02000010 01 01 0000"), zmymodel.Limits{})

	// Section 8: a finite big float has a mantissa, and none where its precision is 0.
	add(tail("precision 0 with mantissa", "Numbers", 3, "00000000 08 01000000 80"), zmymodel.Limits{})
	add(tail("precision 0 without mantissa", "Numbers", 3, "00000000 08 01000000"), zmymodel.Limits{})

	// Section 1: unknown parts count for zero. The value that is left is spelled as what is
	// read of it.
	for _, reader := range []string{"V1", "Keep1"} {
		for _, c := range []struct{ id, hex string }{
			{"zero but for a tail that is unknown", "04c00000 01000000 0e00 0e00 1700 02400000 0000 0900 62"},
			{"zero with an empty tail that is unknown", "04c00000 01000000 0e00 0e00 1600 02400000 0000 0800"},
			{"zero but for a scalar that is unknown", "04c00000 01000000 0e00 0e00 1500 03000000 0000 07"},
			{"zero with a zero scalar that is unknown", "04c00000 01000000 0e00 0e00 1500 03000000 0000 00"},
		} {
			add(raw{id: c.id, reader: reader, b: unhex(c.hex)}, zmymodel.Limits{})
		}
	}

	// Section 9: pointers to structs that are not sparse are charged as the structs, others as
	// pointers; structs inline are no level of depth.
	for _, c := range []struct {
		id string
		v  Message
	}{
		{"structs", &Lists{Refs: []*Line{{Sku: "a"}, {Sku: "b"}}}}, {"numbers", &Lists{Nums: []*int32{ptr[int32](1), ptr[int32](2)}}},
		{"sparse structs", &Lists{Marks: []*Sparse1{{A: 1}, {A: 2}}}},
	} {
		_, b := message(c.v)
		out = append(out, budgets("Lists", b, "pointers to "+c.id)...)
	}
	_, inline := message(&Scalars{At: Spot{X: 1}})
	add(raw{id: "inline at depth 1", reader: "Scalars", b: inline}, shallow)
	_, point := message(&Lists{Points: []Point{{1, 2}}})
	add(raw{id: "struct at depth 2 of 1", reader: "Lists", b: point}, shallow)
	return map[string][]raw{"answers": out}
}
