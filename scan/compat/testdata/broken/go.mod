module compat.invalid/broken

go 1.24
