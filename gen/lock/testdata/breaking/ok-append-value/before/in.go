package in

type T struct {
	S State `zmy:"0"`
}

type State uint8

const (
	Paid State = 1
)
