package run

import "slices"

// Figure is an item with its column.
type Figure struct {
	Column
	Item
}

// Under returns i as a figure of the column with the given name and unit.
func (i Item) Under(name, unit string) Figure { return Figure{Column{Name: name, Unit: unit}, i} }

// Means returns f with a help text that says what the column means.
func (f Figure) Means(help string) Figure {
	f.Help = help
	return f
}

// Marked returns i with the mark if deserved is set.
func (i Item) Marked(mark string, deserved bool) Item {
	if deserved {
		i.Mark = mark
	}
	return i
}

// Add adds a row. The first row makes the columns; the figures of further rows must be of the same
// columns in the same order.
func (t *Table) Add(row ...Figure) {
	items := make([]Item, len(row))
	for i, f := range row {
		items[i] = f.Item
		if t.Rows == nil {
			t.Columns = append(t.Columns, f.Column)
		}
	}
	t.Rows = append(t.Rows, items)
}

// Filled returns the tables that have rows.
func Filled(tables ...Table) []Table {
	return slices.DeleteFunc(tables, func(t Table) bool { return len(t.Rows) == 0 })
}
