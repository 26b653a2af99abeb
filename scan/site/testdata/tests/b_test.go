package tests_test

import (
	"testing"

	"example.org/tests"
)

func TestOutside(t *testing.T) {
	tests.Write([]int{1})
}
