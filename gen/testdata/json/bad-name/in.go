package bad

// UserSession is spelled differently.
type UserSession struct{ ID int }

// Order is another type.
type Order struct{ ID int }
