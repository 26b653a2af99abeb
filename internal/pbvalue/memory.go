package pbvalue

// The memory of a map, for the budget. The first entry makes a group of eight slots, each with a byte of
// its own. A map doubles its slots when 7 of 8 are in use, so that it has up to 16/7 of those in use.
const (
	mapHead  = 64
	mapSlots = 8
)

// EntryCost returns the charge for an entry of a map. slot is the size in bytes of a struct of its key and
// its value. more says that the field before was an entry of the same map.
func EntryCost(slot int64, more bool) int64 {
	if more {
		return GrownCost(slot)
	}
	return mapHead + mapSlots*(slot+1)
}

// GrownCost returns the memory of an entry in a map of many.
func GrownCost(slot int64) int64 { return (5*(slot+1) + 1) / 2 }

// A Budget is what a decoder may allocate.
type Budget interface {
	Charge(n int64) (exceeded bool)
	Aliases() bool           // strings share memory with the message, and are not charged
	PlainText([]byte) string // a string, already charged
}
