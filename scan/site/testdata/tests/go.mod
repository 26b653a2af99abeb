module example.org/tests

go 1.24
