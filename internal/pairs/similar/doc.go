// Package similar says how alike two programs are, and finds near-duplicates among thousands of them.
//
// Three questions, three ways: [Edit] is the share of tokens that stay when one program is turned into the other;
// [Index] finds texts whose sets of five-token shingles overlap at least so much (MinHash proposes, the exact Jaccard
// index decides, so no estimate is ever reported); [Grams] finds runs of n words that two texts share word for word.
//
// Invariant: a text is its tokens. Blanks, indentation and line ends count for nothing; everything else counts. Nothing
// here depends on chance: the hash functions are fixed, so the same texts give the same answers on every machine.
//
// It parses nothing: broken programs, prose and half a reply have tokens as well.
package similar
