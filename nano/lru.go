package nano

// lru is a map that knows what was used last. The zero value is ready; the caller locks.
type lru[K comparable, V any] struct {
	nodes map[K]*lruNode[K, V]
	root  lruNode[K, V] // of a ring: root.next was used last, root.prev the longest ago
}

type lruNode[K comparable, V any] struct {
	prev, next *lruNode[K, V]
	key        K
	value      V
}

// get returns the value of k, nil if there is none, and makes it the last used. It may be changed
// until the next call.
func (l *lru[K, V]) get(k K) *V {
	n := l.nodes[k]
	if n == nil {
		return nil
	}
	n.prev.next, n.next.prev = n.next, n.prev
	l.insert(n)
	return &n.value
}

// add makes an empty value for k, which must not be there.
func (l *lru[K, V]) add(k K) *V {
	if l.nodes == nil {
		l.nodes = make(map[K]*lruNode[K, V])
		l.root.prev, l.root.next = &l.root, &l.root
	}
	n := &lruNode[K, V]{key: k}
	l.nodes[k] = n
	l.insert(n)
	return &n.value
}

func (l *lru[K, V]) insert(n *lruNode[K, V]) {
	n.prev, n.next = &l.root, l.root.next
	n.prev.next, n.next.prev = n, n
}

// removeOldest removes what was not used for the longest time; there must be something.
func (l *lru[K, V]) removeOldest() (K, V) {
	n := l.root.prev
	n.prev.next, n.next.prev = n.next, n.prev
	delete(l.nodes, n.key)
	return n.key, n.value
}

func (l *lru[K, V]) len() int { return len(l.nodes) }
