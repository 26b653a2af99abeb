package main

import "fmt"

// config belongs to a program, and is not exported.
type config struct {
	Addr  string `json:"addr"`
	Limit limit  `json:"limit"`
}

type limit int

var samples = []any{&config{"localhost:80", 7}}

func main() { fmt.Println(config{}) }
