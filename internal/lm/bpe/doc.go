// Package bpe cuts texts into tokens and puts them together again: byte-level byte-pair encoding, trained on our own
// texts.
//
// Every byte is a token (0 to 255), so every text has an encoding and Decode(Encode(x)) == x for any bytes. Learnt tokens
// follow in the order they were learnt; special tokens stand at the end of the vocabulary. A text is first cut into pieces
// ([Pattern]) that no token crosses; the pieces are the idioms of short Python programs.
//
// Invariants: the same texts train the same tokenizer, and a text has one encoding, whatever was encoded before and beside
// it; no text encodes to a special token, whatever it spells: only the caller places those.
//
// A tokenizer is stored as Hugging Face's tokenizer.json, and the tokenizers library gives equal encodings from it. The
// package reads its own kind of that file only: it is not a general reader of other models' tokenizers.
package bpe
