package cli

import "github.com/spf13/cobra"

// codeCommand holds what is done with generated code and the tests that verify it.
func (a *app) codeCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "code",
		Short: "Generate code, verify it by running tests, and compare models by the results",
		Long: `Generate programs for HumanEval, MBPP and others, verify them in the sandbox, judge stored results again, and compare
models by the tasks that each solved. No score is printed until known-good programs have passed and known-bad ones have
failed in the same harness.`,
	}, a.codeEvalCommand(), a.codeVerifyCommand(), a.codeCompareCommand(), a.codeRescoreCommand(), a.codeServe())
}
