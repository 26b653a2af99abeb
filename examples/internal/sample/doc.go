// Package sample draws realistic building blocks for example values: people,
// addresses, identifiers, prices, product texts and the distributions behind
// them.
//
// Every function takes the generator that it draws from and reads nothing else, so one seed gives
// one sequence of values. (Between processor architectures a number drawn through math.Exp may
// differ in its last bit.) Empty results are nil, and times are UTC without a monotonic reading. So
// a codec that returns another value has changed data, not only its representation.
//
// # Entropy of texts
//
// Compressed sizes are only worth reading when the text has the redundancy of real text. [Text]
// draws from a vocabulary of [VocabularySize] words by a Zipf–Mandelbrot law, weight
// 1/(rank+2.7)^1.05 (B. Mandelbrot, "An informational theory of the statistical structure of
// language", 1953): 9.45 bits a word. One time in eleven, a stock phrase begins in place of a word
// (in real catalogues: "easy to clean"). Gzip makes 100 KB of the result 2.7 times smaller, as it
// does with English prose. The frequent words are English; the tail is built from syllables, as the
// brand and model names of a catalogue are. The tests of this package check these figures.
package sample
