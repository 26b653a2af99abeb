package gogo

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/adapters/protox/examples/gogo/gogopb"
	"github.com/zmylab/zmy/adapters/protox/examples/gogo/ids"
	"github.com/zmylab/zmy/adapters/protox/examples/gogo/pb"
	"github.com/zmylab/zmy/adapters/protox/examples/gogo/shop"
)

// both marshals an order with both libraries; gogo/protobuf's text stands first.
func both(t *testing.T, o *shop.Order) (was, is []byte) {
	t.Helper()
	was, err := ToGogo(o).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if is, err = (proto.MarshalOptions{Deterministic: true}).Marshal(ToPB(o)); err != nil {
		t.Fatal(err)
	}
	return was, is
}

// crossed has each library read what the other one wrote, and both read their own.
func crossed(t *testing.T, o *shop.Order, was, is []byte) {
	t.Helper()
	for name, b := range map[string][]byte{"gogo/protobuf": was, "protobuf-go": is} {
		g, p := new(gogopb.Order), new(pb.Order)
		if err := g.Unmarshal(b); err != nil {
			t.Fatalf("gogo/protobuf reads what %s wrote: %v", name, err)
		}
		if err := proto.Unmarshal(b, p); err != nil {
			t.Fatalf("protobuf-go reads what %s wrote: %v", name, err)
		}
		if !g.Equal(ToGogo(o)) {
			t.Errorf("gogo/protobuf reads from %s\n%+v, want\n%+v", name, FromGogo(g), o)
		}
		back, err := FromPB(p)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back, o) {
			t.Errorf("protobuf-go reads from %s\n%+v, want\n%+v", name, back, o)
		}
	}
}

// TestBytes: values are the same whoever wrote them; bytes are where nothing is zero that was not
// nullable. extra is what gogo/protobuf writes then and protobuf-go does not.
func TestBytes(t *testing.T) {
	for _, c := range []struct {
		name  string
		order *shop.Order
		extra string // in hexadecimal
	}{
		{"all fields", full(), ""},
		{"what may be missing is", with(func(o *shop.Order) {
			o.Paid, o.Note, o.ShipTo, o.Items, o.Tags, o.Stock, o.Customer, o.Status = nil, nil, nil, nil, nil, nil, "", 0
		}), ""},
		{"messages and texts that are there and empty",
			with(func(o *shop.Order) { *o.Note, o.ShipTo.City, o.Items = "", "", []shop.Item{{}} }), ""},
		{"times before 1970, a duration below zero", with(func(o *shop.Order) {
			o.Placed, o.Within = time.Date(1969, 12, 31, 23, 59, 58, 5e8, time.UTC), -1500*time.Millisecond
		}), ""},
		{"the enum has a number that the schema lacks", with(func(o *shop.Order) { o.Status = 9 }), ""},
		{"zero customtype", with(func(o *shop.Order) { o.ID = ids.ID{} }), "0a10" + strings.Repeat("00", 16)},
		{"zero stdtime", with(func(o *shop.Order) { o.Placed = time.Time{} }), "220b088092b8c398feffffff01"},
		{"zero stdduration", with(func(o *shop.Order) { o.Within = 0 }), "3200"},
		{"zero embedded message", with(func(o *shop.Order) { o.Audit = shop.Audit{} }), "420d120b088092b8c398feffffff01"},
	} {
		t.Run(c.name, func(t *testing.T) {
			was, is := both(t, c.order)
			extra, err := hex.DecodeString(c.extra)
			if err != nil {
				t.Fatal(err)
			}
			if left := bytes.Replace(was, extra, nil, 1); len(was)-len(is) != len(extra) || !bytes.Equal(left, is) {
				t.Errorf("gogo/protobuf and protobuf-go write\n%x\n%x", was, is)
			}
			crossed(t, c.order, was, is)
		})
	}
}

// TestZero: what an empty order takes.
func TestZero(t *testing.T) {
	o := new(shop.Order)
	was, is := both(t, o)
	if len(was) != 48 || len(is) != 0 {
		t.Errorf("gogo/protobuf writes %d bytes, protobuf-go %d", len(was), len(is))
	}
	crossed(t, o, was, is)
}

// TestRandom: values stay the same, also of maps of several entries, whose order is neither
// library's promise.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for range 2000 {
		o := random(r)
		was, is := both(t, o)
		crossed(t, o, was, is)
		if t.Failed() {
			return
		}
	}
}

// TestUnknown: protobuf-go keeps fields that it does not know; protoc-gen-gogofaster's code loses
// them.
func TestUnknown(t *testing.T) {
	was, _ := both(t, full())
	newer := append(bytes.Clone(was), 0xa2, 0x06, 3, 'n', 'e', 'w') // field 100
	g, p := new(gogopb.Order), new(pb.Order)
	if err := g.Unmarshal(newer); err != nil {
		t.Fatal(err)
	}
	if err := proto.Unmarshal(newer, p); err != nil {
		t.Fatal(err)
	}
	if b, err := g.Marshal(); err != nil || !bytes.Equal(b, was) {
		t.Errorf("gogo/protobuf writes %x, %v", b, err)
	}
	if b, err := proto.Marshal(p); err != nil || !bytes.Equal(b, newer) {
		t.Errorf("protobuf-go writes %x, %v", b, err)
	}
}

// TestUTF8: gogo/protobuf's generated code writes and reads strings that are no UTF-8, which
// protobuf-go refuses to write and to read.
func TestUTF8(t *testing.T) {
	o := with(func(o *shop.Order) { o.Customer = "caf\xe9" })
	b, err := ToGogo(o).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if err := new(gogopb.Order).Unmarshal(b); err != nil {
		t.Error(err)
	}
	if err := proto.Unmarshal(b, new(pb.Order)); err == nil || !strings.Contains(err.Error(), "UTF-8") {
		t.Errorf("protobuf-go reads it: %v", err)
	}
	if _, err := proto.Marshal(ToPB(o)); err == nil || !strings.Contains(err.Error(), "UTF-8") {
		t.Errorf("protobuf-go writes it: %v", err)
	}
}

// TestMissing: a time that is not there is the zero time to gogo/protobuf, and 1970 to AsTime.
func TestMissing(t *testing.T) {
	g, p := new(gogopb.Order), new(pb.Order)
	if err := g.Unmarshal(nil); err != nil || !g.Placed.IsZero() {
		t.Errorf("%v, %v", g.Placed, err)
	}
	if err := proto.Unmarshal(nil, p); err != nil || p.GetPlaced() != nil || !p.GetPlaced().AsTime().Equal(time.Unix(0, 0)) {
		t.Errorf("%v, %v", p.GetPlaced(), err)
	}
	o, err := FromPB(p)
	if err != nil || !reflect.DeepEqual(o, new(shop.Order)) {
		t.Errorf("%+v, %v", o, err)
	}
	if _, err := FromPB(&pb.Order{Id: []byte{1}}); err == nil {
		t.Error("an ID of one byte is read")
	}
}

// TestJSON: encoding/json of gogo/protobuf's structs and protojson are different documents.
func TestJSON(t *testing.T) {
	was, err := json.Marshal(ToGogo(full()))
	if err != nil {
		t.Fatal(err)
	}
	is, err := protojson.Marshal(ToPB(full()))
	if err != nil {
		t.Fatal(err)
	}
	is = bytes.ReplaceAll(is, []byte(`": "`), []byte(`":"`)) // protojson puts spaces where it likes
	for _, c := range []struct{ what, was, is string }{
		{"an enum", `"status":1`, `"status":"STATUS_PAID"`},
		{"64 bits", `{"tea":40}`, `{"tea":"40"}`},
		{"bytes of a type of one's own", `"id":"01020300000000000000000000000009"`, `"id":"AQIDAAAAAAAAAAAAAAAACQ=="`},
		{"a duration", `"within":90000000000`, `"within":"90s"`},
	} {
		if !bytes.Contains(was, []byte(c.was)) || !bytes.Contains(bytes.ReplaceAll(is, []byte(" "), nil), []byte(c.is)) {
			t.Errorf("%s: %s and %s are not in\n%s\n%s", c.what, c.was, c.is, was, is)
		}
	}
}

// TestZMY: the plain types go through ZMY, and what comes from messages of both libraries is the
// same there.
func TestZMY(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	for range 500 {
		o := random(r)
		b, err := zmy.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		back := new(shop.Order)
		if err := zmy.Unmarshal(b, back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back, o) {
			t.Fatalf("%+v, want\n%+v", back, o)
		}
		p, err := FromPB(ToPB(o))
		if err != nil {
			t.Fatal(err)
		}
		for name, from := range map[string]*shop.Order{"gogo/protobuf": FromGogo(ToGogo(o)), "protobuf-go": p} {
			if same, err := zmy.Marshal(from); err != nil || !bytes.Equal(same, b) {
				t.Fatalf("by way of %s: %x, %v; want %x", name, same, err, b)
			}
		}
	}
}
