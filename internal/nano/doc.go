// Package nano lets a language model of a few million parameters, trained by ourselves, be the root of a recursion: the
// provider of models called nano/NAME.
//
// Such a model has a context of about a thousand tokens, and the loop's messages are longer than that. So it is not shown
// the messages but a digest of each, a View of at most 200 characters, made by [Render] out of nothing but the messages'
// text. What it writes is Python, token by token, sampled from all its vocabulary: nothing repairs, masks or templates
// it, and it runs in the same sandbox under the same rules as any other model's.
//
// A conversation is one stream of tokens: <|view|> what it is shown <|cell|> the cell that it writes <|end|> <|view|> ...
//
// Invariant: a reply depends on the weights, the conversation, the seed and the temperature, and on nothing else: not on
// what else is being sampled, not on how many engines there are.
//
// A model that was trained to chat is an ordinary one beside that: a request that is no turn of a loop ([llm.Request], Turn) is rendered
// by its own chat template, and its reply is what it writes.
//
// The package trains nothing and runs no cell.
package nano
