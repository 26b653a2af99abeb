package in

//zmy:reserved 0 int32
type T struct {
	S string `zmy:"1"`
}
