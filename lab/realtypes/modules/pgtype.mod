module realtypes.invalid/pgtype

go 1.26

require github.com/jackc/pgx/v5 v5.12.0
