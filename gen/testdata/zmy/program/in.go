package main

import "fmt"

// config belongs to a program, and is not exported.
type config struct {
	Addr  string `zmy:"0"`
	Limit limit  `zmy:"1"`
}

type limit int

var samples = []any{&config{"localhost:80", 7}}

func main() { fmt.Println(config{}) }
