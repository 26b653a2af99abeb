module realtypes.invalid/null

go 1.26

require github.com/guregu/null/v6 v6.0.0
