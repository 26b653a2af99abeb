module realtypes.invalid/gofrs

go 1.26

require github.com/gofrs/uuid/v5 v5.5.1
