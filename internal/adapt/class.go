package adapt

import (
	"errors"
	"strings"

	"github.com/zmylab/zmy/codec"
)

// Classes are the rules by which the errors of another library get their classes. The first rule
// that fits counts.
type Classes []struct {
	Class codec.Class
	Fits  func(error) bool
}

// Of returns err with its class. An error that has a class already keeps it: a method of the user's
// type may have returned an error of package codec.
func (c Classes) Of(err error) error {
	if err == nil || codec.ClassOf(err) != codec.ClassOther {
		return err
	}
	for _, rule := range c {
		if rule.Fits(err) {
			return codec.WithClass(rule.Class, err)
		}
	}
	return err
}

// As fits errors that are or wrap a T.
func As[T error](err error) bool {
	var t T
	return errors.As(err, &t)
}

// Is fits errors that are or wrap target.
func Is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

// Says fits errors whose text contains part. It is for libraries whose errors have no types of
// their own.
func Says(part string) func(error) bool {
	return func(err error) bool { return strings.Contains(err.Error(), part) }
}
