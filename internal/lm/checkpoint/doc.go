// Package checkpoint stores models in the layout of Hugging Face's libraries, which read them, and reads them back.
//
// A model directory ([WriteModel], [ReadModel]) is a Llama or Qwen2 model for transformers: config.json, model.safetensors,
// tokenizer.json and what belongs to them. Those of others are read too, as transformers lays them out or as one GGUF file
// ([Open]), one tensor at a time. An adapter directory ([WriteAdapter], [ReadAdapter]) is a LoRA for PEFT:
// adapter_config.json and adapter_model.safetensors, which remembers the weights of its base. Either can be had in
// one piece, for another machine ([PackModel], [PackAdapter]). A trainer's state, of any tensors, is one stream
// ([WriteTensors], [ReadTensors]).
//
// Invariants: a file that is written holds the old content or the new one at every moment; reading returns what was
// written, bit for bit if it was stored as F32; a file is hostile until every name, shape and length in it is what the
// model has, and one that is refused is refused by name.
//
// The package reads what [transformer] computes exactly, Llama and Qwen2 without scaled positions or sliding windows, and of
// safetensors the three types of floating-point numbers: it is not a general loader.
package checkpoint
