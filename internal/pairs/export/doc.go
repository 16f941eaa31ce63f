// Package export writes pairs in the forms that trainers read.
//
//	trl             {"prompt", "chosen", "rejected"}, texts: TRL's DPOTrainer
//	conversational  the same with lists of messages: TRL applies the model's chat template
//	kto             {"prompt", "completion", "label"}, each answer once: TRL's KTOTrainer
//	verl            Parquet, one row a prompt with the tests that judge it: verl's RL trainers
//	tinker          {"prompt_conversation", "completion_A", "completion_B", "label"}: Tinker's preference training
//
// Invariant: nothing is lost or invented: texts come out as they went in, and the same pairs, options and seed give the
// same bytes. The package reads no files; pairs.Read takes its trl, conversational and tinker forms back.
package export
