module realtypes.invalid/pullrequest

go 1.26

require github.com/google/go-github/v75 v75.0.0

require github.com/google/go-querystring v1.1.0 // indirect
