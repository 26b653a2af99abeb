package msg

import (
	"reflect"
	"testing"
)

// TestNew: messages are those of their arguments, and no two alike.
func TestNew(t *testing.T) {
	seen := map[Digest]string{}
	for _, size := range []int{MinSize, 100, 1000, 64_000, 1_000_000} {
		for _, blob := range []bool{false, true} {
			for v := range Variants {
				m := New(v, size, blob)
				if !reflect.DeepEqual(m, New(v, size, blob)) {
					t.Errorf("%d/%d: another message each time", size, v)
				}
				h := m.Head()
				if int(h.Variant) != v || int(h.Size) != size || h.Blob != blob || blob != (len(m.Items) == 0) {
					t.Errorf("%d/%d/%t: %+v, %d items", size, v, blob, h, len(m.Items))
				}
				name := seen[h.Sum]
				if name != "" {
					t.Errorf("%d/%d/%t has the digest of %s", size, v, blob, name)
				}
				seen[h.Sum] = "an earlier one"
			}
		}
	}
}

// TestDigest changes one field at a time.
func TestDigest(t *testing.T) {
	want := New(1, 1000, false).Head().Sum
	for name, change := range map[string]func(*Message){
		"sku":       func(m *Message) { m.Items[1].Sku = "SKU-" },
		"price":     func(m *Message) { m.Items[1].Price++ },
		"qty":       func(m *Message) { m.Items[1].Qty++ },
		"attrs":     func(m *Message) { m.Items[1].Attrs = nil },
		"one less":  func(m *Message) { m.Items = m.Items[1:] },
		"swapped":   func(m *Message) { m.Items[0], m.Items[1] = m.Items[1], m.Items[0] },
		"body":      func(m *Message) { m.Body[0]++ },
		"body, end": func(m *Message) { m.Body = m.Body[:len(m.Body)-1] },
	} {
		m := New(1, 1000, false)
		if len(m.Body) < 2 {
			m.Body = []byte{1, 2}
			want = m.Head().Sum
		}
		change(m)
		if m.Head().Sum == want {
			t.Errorf("%s: the digest stays", name)
		}
	}
}
