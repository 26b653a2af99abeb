module example.org/meter

go 1.25.0
