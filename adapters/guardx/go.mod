module github.com/zmylab/zmy/adapters/guardx

go 1.26.0

require (
	github.com/hashicorp/golang-lru/v2 v2.0.7
	github.com/sony/gobreaker/v2 v2.4.0
	github.com/zmylab/zmy v0.0.0
	golang.org/x/time v0.16.0
)

require github.com/go-chi/chi/v5 v5.5.0

require (
	github.com/go-kit/kit v0.13.0
	github.com/go-kit/log v0.2.0 // indirect
	github.com/go-logfmt/logfmt v0.5.1 // indirect
)

replace github.com/zmylab/zmy => ../..
