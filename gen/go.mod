module github.com/zmylab/zmy/gen

go 1.26.0

require golang.org/x/tools v0.52.0

require github.com/zmylab/zmy v0.0.0

replace github.com/zmylab/zmy => ../
