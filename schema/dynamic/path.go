package dynamic

import (
	"github.com/zmylab/zmy/schema/dissect"
	"github.com/zmylab/zmy/wire"
)

// placed gives an error of wire.Verify, which knows no names, the path of the field
// that stands at its offset.
func (c *Codec) placed(msg []byte, err *wire.Error) *wire.Error {
	if err == nil {
		return nil
	}
	err.Path = ""
	for p := range (dissect.Options{}).Message(c.s, msg) {
		if p.Offset > err.Offset {
			break
		}
		if p.Role != dissect.Group && err.Offset < p.Offset+p.Len {
			err.Path = p.Path
			break
		}
	}
	return err
}
