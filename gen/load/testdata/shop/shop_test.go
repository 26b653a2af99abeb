package shop

func TestBroken(t *testing.T) { does not compile
