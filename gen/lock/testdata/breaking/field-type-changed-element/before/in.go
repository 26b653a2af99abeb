package in

type T struct {
	L []int32 `zmy:"0"`
}
