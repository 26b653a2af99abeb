module github.com/zmylab/zmy

go 1.25
