module realtypes.invalid/nullv4

go 1.26

require gopkg.in/guregu/null.v4 v4.0.0
