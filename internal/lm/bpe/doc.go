// Package bpe cuts texts into tokens and puts them together again: byte-level byte-pair encoding, trained on our own
// texts ([Train]) or by others ([ParseTokenizer], [NewTokenizer]): GPT-2, SmolLM2, Qwen2.
//
// A text is first cut into pieces that no token crosses. In a tokenizer of ours they are the idioms of short Python programs
// ([Pattern]); every byte is a token (0 to 255), learnt tokens follow in the order they were learnt, and special tokens stand at
// the end of the vocabulary. Those of others have pieces of their own, tokens in any order, and what the tokenizers library gives
// for a text is given here, on any text.
//
// Invariants: the same texts train the same tokenizer, and a text has one encoding, whatever was encoded before and beside
// it; no text encodes to a special token, whatever it spells: only the caller places those. Decode(Encode(x)) == x for any bytes,
// but for normal form C where a tokenizer brings texts into it, and for bytes that a vocabulary of others lacks.
//
// A tokenizer is stored as Hugging Face's tokenizer.json, and the tokenizers library gives equal encodings from it. A file
// that asks for another algorithm is refused: this is not a general reader of tokenizers.
package bpe
