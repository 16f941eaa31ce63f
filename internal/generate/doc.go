// Package generate asks models for programs: it makes the prompts of a dataset's tasks and samples the replies.
//
// Start at sampler.go. [New] takes a [Config], [Sampler.Prompt] shows what a task's prompt is, [Sampler.Run] samples
// what is missing and hands each [Sample] on as it comes. [OpenJournal] keeps samples in a file from which a later run
// continues.
//
// There are three ways to ask ([Mode]): chat, for models that follow instructions; complete, for base models, which
// continue code; and fewshot, for both. The words of each are in one file of the folder prompts.
//
// Invariants: every prompt says the name and the signature of the function that the tests call, because a program under
// another name fails however good it is; only tests that the dataset calls public are shown; a reply is kept as it
// came, never cut, with the reason why it ended; a sample that was paid for is handed on before anything else is done
// with it.
//
// The package judges nothing and knows no directory: judging the samples is verify's and codeeval's job.
package generate
