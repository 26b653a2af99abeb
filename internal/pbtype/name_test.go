package pbtype

import (
	"reflect"
	"testing"

	"github.com/zmylab/zmy/internal/zmytype"
)

func TestNames(t *testing.T) {
	for _, c := range []struct {
		name, tag string
		want      Names
	}{
		{"ID", `proto:"1"`, Names{"id", "id"}},
		{"UnitPrice", `proto:"1"`, Names{"unit_price", "unitPrice"}},
		{"HTTPPort", `proto:"1"`, Names{"http_port", "httpPort"}},
		{"Sha256Sum", `proto:"1"`, Names{"sha256_sum", "sha256Sum"}},
		{"A_B", `proto:"1"`, Names{"a_b", "aB"}},
		{"ÜX", `proto:"1"`, Names{"udcx", "udcx"}},
		{"Price", `proto:"1" json:"unit-price,omitempty"`, Names{"price", "unit-price"}},
		{"Price", `proto:"1" json:",omitempty"`, Names{"price", "price"}},
		{"Price", `proto:"1" json:"-"`, Names{"price", "price"}},
		{"Price", `proto:"1" json:"a[b]"`, Names{"price", "price"}},
		{"Price", `proto:"1,name:UnitPrice_in_Cents,sint"`, Names{"UnitPrice_in_Cents", "UnitPriceInCents"}},
		{"Price", `proto:"1,name:p_1" json:"q"`, Names{"p_1", "q"}},
		{"Price", `protobuf:"varint,1,opt,name=unit_price,proto3" json:"unit_price,omitempty"`, Names{"unit_price", "unitPrice"}},
		{"Price", `protobuf:"varint,1,opt,name=unit_price,json=p,proto3"`, Names{"unit_price", "p"}},
		{"Price", `protobuf:"bytes,1,opt,name=p,def=x,name=y,json=z"`, Names{"p", "p"}},
		{"Price", `protobuf:"varint,1,opt" json:"q"`, Names{"price", "q"}},
	} {
		if got := NamesOf(c.name, reflect.StructTag(c.tag)); got != c.want {
			t.Errorf("%s %s: %v, want %v", c.name, c.tag, got, c.want)
		}
	}
}

func TestArmNames(t *testing.T) {
	inner := &zmytype.Field[int, string]{Name: "HTTPCode", Tag: `proto:"1,oneof" json:"code"`}
	for want, arm := range map[Names]Arm[string, int]{
		{"http_code", "code"}: {Inner: inner}, {"bank_transfer", "bankTransfer"}: {},
	} {
		if got := arm.Names("BankTransfer"); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
}
