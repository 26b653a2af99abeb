package run

import (
	"encoding/json"
	"testing"
)

// TestTable: the first row makes the columns, and a table without rows is left out.
func TestTable(t *testing.T) {
	table := Table{Title: "Times"}
	for i, codec := range []string{"json", "zmy"} {
		table.Add(Text(codec).Under("codec", UnitNone), Num(float64(i)).Marked("bad", i > 0).Under("failed", UnitCount),
			Between(2, 1, 3).Under("time", UnitNS).Means("of a call"))
	}
	tables := Filled(Table{Title: "nothing"}, table)
	if len(tables) != 1 {
		t.Fatalf("%d tables", len(tables))
	}
	got, err := json.Marshal(tables[0])
	want := `{"title":"Times","columns":[{"name":"codec"},{"name":"failed","unit":"count"},{"name":"time","unit":"ns","help":"of a call"}],` +
		`"rows":[[{"text":"json"},{"value":0},{"value":2,"lo":1,"hi":3}],[{"text":"zmy"},{"value":1,"mark":"bad"},{"value":2,"lo":1,"hi":3}]]}`
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}
