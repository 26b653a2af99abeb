package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// shop returns the source of a package with messages of protobuf.
func shop(fields string) string {
	return "package shop\n\n" + "type Order struct {\n" + fields + "}\n"
}

const (
	idQty  = "\tID string `proto:\"1\"`\n\tQty int32 `proto:\"2\"`\n"
	idWide = "\tID string `proto:\"1\"`\n\tQty string `proto:\"2\"`\n"
	onlyID = "\tID string `proto:\"1\"`\n"
)

func TestProtoLock(t *testing.T) {
	run := shopModule(t)
	put(t, "shop.go", shop("\tID string\n"))
	says(t, run, "lock", 1, "has no struct with struct tags zmy, proto or protobuf, and no file that zmy gen or fxproto has written")
	says(t, run, "breaking", 1, "has no zmy.lock or zmy.proto.lock to compare with; make one with: zmy lock .")
	put(t, "shop.go", shop(idQty))
	says(t, run, "lock -check ./...", 1, "zmy.proto.lock is not up to date; refresh it with: zmy lock .")
	says(t, run, "lock ./...", 0, "")
	says(t, run, "lock -check ./...", 0, "")
	says(t, run, "breaking ./...", 0, "")
	if exists("zmy.lock") || exists("plain/zmy.proto.lock") {
		t.Error("too much was recorded")
	}

	put(t, "shop.go", shop(idWide))
	says(t, run, "breaking", 1, "shop.go:5:2: FIELD_TYPE_CHANGED: Order.qty: int32 became string; "+
		"add a field of the new type and reserve this one\n")
	says(t, run, "lock", 1, "zmy.proto.lock was not written; zmy lock -force . records these changes")
	code, out := run("breaking -format json")
	var found []map[string]any
	if err := json.Unmarshal([]byte(out), &found); err != nil || code != 1 || len(found) != 1 {
		t.Fatalf("exit %d, %v\n%s", code, err, out)
	}
	if f := found[0]; f["code"] != "FIELD_TYPE_CHANGED" || f["severity"] != "breaking" || f["line"] != 5.0 || f["path"] != "Order.qty" {
		t.Errorf("%v", f)
	}

	put(t, "shop.go", shop(onlyID))
	says(t, run, "breaking", 1, "shop.go:3:6: FIELD_DELETED: Order.qty: int32 with number 2 is gone; reserve it in the type's comment: "+
		"//zmy:proto-reserved 2\n")
	put(t, "shop.go", strings.Replace(shop(onlyID), "type", "//zmy:proto-reserved 2\ntype", 1))
	says(t, run, "breaking", 0, "nothing breaks, but zmy.proto.lock is not up to date; record what is new with: zmy lock .")
	says(t, run, "breaking -v", 0, "safe: FIELD_RESERVED: Order.qty: number 2 is reserved")
	says(t, run, "lock", 0, "")
	put(t, "shop.go", shop(onlyID))
	says(t, run, "breaking -v", 0, "") // the record keeps it
	says(t, run, "gen -lang proto -type Order -output -", 0, "message Order {\n  reserved 2;\n  reserved \"qty\";\n  string id = 1;\n}\n")
	put(t, "shop.go", shop(idQty))
	says(t, run, "breaking -v", 0, "FIELD_RESTORED")
	put(t, "shop.go", shop(idWide))
	says(t, run, "breaking", 1, "TAG_REUSED: Order.qty: number 2 was int32 qty, which was removed; give the field the next free number")
	says(t, run, "lock -force", 0, "")
	says(t, run, "breaking", 0, "")
	put(t, "zmy.proto.lock", "zmyproto 9\n")
	says(t, run, "breaking", 1, `zmy.proto.lock:1: it begins with "zmyproto 9", not "zmyproto 1": this zmy cannot read it`)
}

// TestBothLocks: a package with messages of both kinds has both files, and each is compared by itself.
func TestBothLocks(t *testing.T) {
	run := shopModule(t)
	both := "\tID string `zmy:\"0\" proto:\"1\"`\n\tQty int32 `zmy:\"1\" proto:\"2\"`\n"
	put(t, "shop.go", shop(both))
	says(t, run, "lock ./...", 0, "")
	if !exists("zmy.lock") || !exists("zmy.proto.lock") {
		t.Fatal("a file is missing")
	}
	put(t, "shop.go", shop(strings.Replace(both, "int32", "uint64", 1)))
	says(t, run, "breaking", 1, "FIELD_TYPE_CHANGED: Order.Qty: int32 became uint64")
	says(t, run, "breaking", 1, "warning: FIELD_TYPE_NARROWED: Order.qty: int32 became uint64; in JSON a number became a string of digits")
	put(t, "shop.go", shop(strings.Replace(both, "proto:\"2\"", "proto:\"3\"", 1)))
	says(t, run, "breaking", 1, "FIELD_NUMBER_CHANGED: Order.qty: number 2 became 3; give it its number back")
	says(t, run, "breaking -against zmy.lock", 0, "")
	says(t, run, "breaking -against zmy.proto.lock", 1, "FIELD_NUMBER_CHANGED")
}

func TestBreakingProtoAgainst(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	run := shopModule(t)
	git := func(args ...string) {
		t.Helper()
		who := []string{"-c", "user.name=t", "-c", "user.email=t@example.org"}
		if out, err := exec.Command("git", append(who, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	git("init", "-q")
	put(t, "shop.go", shop(idQty))
	git("add", ".")
	git("commit", "-qm", "none")
	says(t, run, "lock", 0, "")
	says(t, run, "breaking -against HEAD", 1, "nothing to compare with: HEAD has no zmy.lock or zmy.proto.lock of example.org/shop")
	git("add", ".")
	git("commit", "-qm", "recorded")
	put(t, "shop.go", shop(onlyID))
	says(t, run, "lock -force", 0, "")
	says(t, run, "breaking", 0, "")
	says(t, run, "breaking -against HEAD", 1, "shop.go:3:6: FIELD_DELETED: Order.qty")
	says(t, run, "breaking -against nope", 1, "-against nope is no file, and git show nope:./zmy.lock says")
}

// TestNumberReserved: numbers that a directive or the record has are not given out again.
func TestNumberReserved(t *testing.T) {
	run := shopModule(t)
	put(t, "shop.go", shop("\tID string `proto:\"1\"`\n\tOld int32 `proto:\"4\"`\n"))
	says(t, run, "lock", 0, "")
	put(t, "shop.go", strings.Replace(shop(onlyID+"\tA string\n\tB string\n\tC string\n"), "type", "//zmy:proto-reserved 2, 5 to 6\ntype", 1))
	number := func(args string) (int, string) {
		var out strings.Builder
		return FXProto(strings.Fields(args), &out, &out), out.String()
	}
	says(t, number, "-number -type=Order", 0, "")
	src, err := os.ReadFile("shop.go")
	got := strings.Join(strings.Fields(string(src)), " ")
	if want := "A string `proto:\"3\"` B string `proto:\"7\"` C string `proto:\"8\"`"; err != nil || !strings.Contains(got, want) {
		t.Errorf("%v, want %s in\n%s", err, want, src)
	}
	put(t, "shop.go", strings.Replace(shop(onlyID+"\tA string\n"), "type", "//zmy:proto-reserved 2 to max\ntype", 1))
	says(t, number, "-number -type=Order", 1, "shop.go:6:2: field A: no number above those in use is left; "+
		"give it a number by hand, or reserve fewer")
}

// TestProtoFileArms: all arms of an interface are in the .proto file.
func TestProtoFileArms(t *testing.T) {
	run := shopModule(t)
	put(t, "shop.go", shop("\tWay Way `proto:\"oneof\"`\n")+"\n//zmy:union Card=1 Bank=2\ntype Way interface{ isWay() }\n\n"+
		"type Card struct {\n\tN int64 `proto:\"1\"`\n}\n\ntype Bank struct {\n\tB string `proto:\"1\"`\n}\n\n"+
		"func (Card) isWay() {}\nfunc (Bank) isWay() {}\n")
	says(t, run, "gen -lang proto -type Order -output -", 0, "  oneof way {\n    Card card = 1;\n    Bank bank = 2;\n  }\n")
}

// TestProtoNumbersLost: a message whose fields have lost all struct tags breaks as one that has lost its
// fields, also if nothing else in the package has numbers.
func TestProtoNumbersLost(t *testing.T) {
	run := shopModule(t)
	put(t, "shop.go", shop(idQty))
	says(t, run, "lock .", 0, "")
	bare := shop("\tID string\n\tQty int32\n")
	for _, src := range []string{bare, bare + "\ntype Other struct {\n\tN int `proto:\"1\"`\n}\n"} {
		put(t, "shop.go", src)
		says(t, run, "breaking .", 1, "FIELD_DELETED: Order.qty")
	}
}
