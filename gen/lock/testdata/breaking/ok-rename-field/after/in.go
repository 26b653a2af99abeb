package in

type T struct {
	Amount int32 `json:"a" zmy:"0"`
}
