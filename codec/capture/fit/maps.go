package fit

// mapOf returns the description of maps, or nil if there is no room.
func (l *Learner) mapOf(o *Object) *Map {
	if o.Map == nil && l.take(classBytes) {
		o.Map = new(Map)
	}
	return o.Map
}

// entries are the entries of one map while it is learned.
type entries struct {
	m    *Map
	keys uint64 // sum of the hashes of keys that were looked at, in any order
	n    int
}

// key learns a key of a map. It returns the node of the elements, or nil.
func (l *Learner) key(n *Node, e *entries, key string) (elem *Node, id uint64) {
	id = hash(key)
	e.keys += id
	e.n++
	l.distinct(&e.m.Distinct, id)
	l.string(&e.m.Keys, key, n.public.open())
	return l.node(&e.m.Elem, n.public.step("[*]")), id
}

// element learns an element by learn, and of which kind it is for its key.
func (l *Learner) element(e *entries, elem *Node, id uint64, learn func()) {
	before := elem.weights()
	learn()
	for kind, n := range elem.weights() {
		if n != before[kind] {
			l.distinct(&e.m.Kinds, mix(id+uint64(kind)+1))
			return
		}
	}
}

// end ends a map of n entries. If they were all looked at, it learns the set of keys.
func (l *Learner) end(e *entries, n int) {
	e.m.N++
	l.count(&e.m.Size, lengthBin(n))
	if n > 0 && e.n == n {
		l.distinct(&e.m.Sets, mix(e.keys))
	}
}

// Kinds of values, in the order of weights.
const (
	kindBool = iota
	kindNull
	kindNumber
	kindString
	kindList
	kindObject
	kinds
	anyKind = -1
)

// weights counts the values at n by kind.
func (n *Node) weights() (w [kinds]uint64) {
	w[kindBool], w[kindNull] = sum(&n.False, n.True), n.Null
	if n.Number != nil {
		w[kindNumber] = n.Number.N
	}
	if n.String != nil {
		w[kindString] = n.String.N
	}
	if n.List != nil {
		w[kindList] = n.List.N
	}
	if n.Object != nil {
		w[kindObject] = n.Object.N
	}
	return w
}
