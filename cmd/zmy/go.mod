module github.com/zmylab/zmy/cmd/zmy

go 1.26

require (
	golang.org/x/term v0.47.0
	github.com/zmylab/zmy v0.0.0
	github.com/zmylab/zmy/gen v0.0.0
	github.com/zmylab/zmy/lab v0.0.0
)

replace (
	github.com/zmylab/zmy => ../../
	github.com/zmylab/zmy/gen => ../../gen
	github.com/zmylab/zmy/lab => ../../lab
)
