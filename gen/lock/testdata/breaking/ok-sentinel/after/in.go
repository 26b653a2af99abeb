package in

type T struct {
	S State `zmy:"0"`
}

// State of an order.
//
//zmy:sentinel NumStates
type State uint8

const (
	Paid      State = 1
	Sent      State = 2
	NumStates State = 3
)
