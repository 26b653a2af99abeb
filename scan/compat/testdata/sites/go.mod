module compat.invalid/sites

go 1.24
