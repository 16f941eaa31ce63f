package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/deeprepo/deeprepo/internal/train/recipe"
	"github.com/spf13/cobra"
)

func (a *app) trainExportCommand() *cobra.Command {
	var e recipe.Export
	var dtype string
	cmd := &cobra.Command{
		Use: "export DIR", Short: "Write a trained policy in other tools' formats",
		Long: `Write the policy of a training for transformers, PEFT and vLLM: a model of the Llama architecture with its
tokenizer.json, and the adapter beside it, or merged into it. DIR is a training's directory, or a model's.

These tools read weights and tokenizer; the policy's input remains deeprepo's: a short view of each message (docs/nano.md).`,
		Example: `  deeprepo train export runs/full --out /tmp/policy            # /tmp/policy/base and /tmp/policy/adapter
  deeprepo train export runs/full --out /tmp/merged --merge --dtype bf16`,
		Args:              one("", "DIR", "give the directory of a training"),
		ValidArgsFunction: completeDir,
		RunE: func(_ *cobra.Command, args []string) error {
			if e.Out == "" {
				return usageError{errors.New("export needs a directory to write to"), "name it: --out DIR"}
			}
			t, err := recipe.ParseType(dtype)
			if err != nil {
				return usage(err)
			}
			e.From, e.Type = args[0], t
			dirs, err := e.Run()
			if err != nil {
				return err
			}
			return a.print(map[string]any{"directories": dirs, "dtype": dtype}, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "wrote %s\n", strings.Join(dirs, " and "))
				return err
			})
		},
	}
	cmd.Flags().StringVarP(&e.Out, "out", "o", "", "directory to write to, new or empty")
	cmd.Flags().BoolVar(&e.Merge, "merge", false, "merge the adapter into the model")
	cmd.Flags().StringVar(&dtype, "dtype", "f32", "rounding of the model's weights: f32 (none), f16 or bf16")
	complete(cmd, "dtype", recipe.Types()...)
	return cmd
}
