package in

type T struct {
	L []int64 `zmy:"0"`
}
