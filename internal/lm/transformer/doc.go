// Package transformer is a small decoder-only language model on the processor: its weights, low-rank adapters on them,
// the gradient of sequences, what they share computed once, and batched decoding with a key-value cache.
//
// Start with [New] (or a checkpoint, which fills [Model.Params]) and [NewAdapter]. A trainer has a [Pass] for each
// goroutine: [Pass.Forward] gives the log-probability and the entropy at every wanted position, [Pass.Backward] adds
// their gradient to a [Grads]. A sampler has a [Decoder]: [Decoder.Step] takes tokens of any number of conversations
// and gives the logits that follow them.
//
// The architecture is Llama's and Qwen2's, to the name and shape of each tensor, so that other tools load the weights and
// compute the same: rotary positions (Su et al. 2021, arXiv:2104.09864), a gated feed-forward with SiLU (Shazeer 2020,
// arXiv:2002.05202), root mean square norms before each block (Zhang and Sennrich 2019, arXiv:1910.07467), causal
// attention by heads (Vaswani et al. 2017, arXiv:1706.03762) that may share keys and values in groups (Ainslie et al.
// 2023, arXiv:2305.13245), biases on queries, keys and values where the model has them, and an output matrix that is the
// embedding or one of its own. Adapters are LoRA (Hu et al. 2021, arXiv:2106.09685) on the seven linear maps of every layer.
//
// The invariants: what a decoder gives for a sequence depends on its tokens and the weights alone, to the bit, whatever else
// is in the batch and however it was cut into steps; what a pass gives depends on the sequences of one Forward, and whether
// they share rows changes its rounding only; a pass with an adapter computes with the very weights that
// [Model.Merge] gives, so a sampler of the merged model and a trainer of the adapter are one policy, up to the rounding
// of attention, which the two sum in other orders; gradients agree with finite differences for every kind of parameter;
// and once its buffers have grown to the most rows seen, neither a pass nor a decoder allocates.
//
// The package knows no text, no files, no optimizer and no loss: it trains nothing by itself.
package transformer
