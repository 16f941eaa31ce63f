package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/pairs"
	"github.com/deeprepo/deeprepo/internal/pairs/export"
	"github.com/spf13/cobra"
)

func (a *app) pairsExportCommand() *cobra.Command {
	var to, out, name, data string
	var o export.Options
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Write pairs in a trainer's format",
		Long: `Write preference pairs for a trainer:

  trl             {"prompt", "chosen", "rejected"} as texts, JSON Lines (DPOTrainer)
  conversational  the same as lists of messages, for the model's chat template
  kto             {"prompt", "completion", "label"}, each answer once (KTOTrainer)
  verl            Parquet with one row a prompt; with --dataset its tests are the ground truth, in the form that verl's own
                  sandbox_fusion scorer reads (it needs a data source that it knows: --data-source apps)
  tinker          {"prompt_conversation", "completion_A", "completion_B", "label"}, sides drawn by --seed`,
		Example: `  deeprepo pairs export runs/pairs/train.jsonl --to trl --out train.jsonl
  deeprepo pairs export runs/pairs/train.jsonl --to verl --dataset mbpp --data-source apps --out train.parquet`,
		Args: one("pairs export", "file", "deeprepo pairs export FILE --to trl --out F"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case !slices.Contains(export.Forms(), to):
				return usageError{fmt.Errorf("unknown --to %q", to), "there are " + strings.Join(export.Forms(), ", ")}
			case out == "":
				return usageError{errors.New("--out is missing"), "name the file to write: --out pairs.jsonl"}
			case to != export.Verl && (name != "" || data != ""):
				return usageError{fmt.Errorf("--dataset and --data need --to %s", export.Verl), "the form " + to + " holds no tests"}
			}
			if err := replaceable(out, args[0]); err != nil {
				return err
			}
			read, err := pairs.ReadFile(args[0])
			if err != nil {
				return err
			}
			if name != "" {
				if o.Set, err = a.dataset(cmd.Context(), name, data, ""); err != nil {
					return err
				}
			} else if to == export.Verl {
				a.say("without --dataset the chosen program is the ground truth, not the task's tests")
			}
			rows := 0
			err = replaceFile(out, func(w io.Writer) error { rows, err = export.Write(w, to, read, o); return err })
			if err != nil {
				return err
			}
			return a.print(map[string]any{"file": out, "form": to, "pairs": len(read), "rows": rows}, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s: %d rows of %d pairs\n", out, rows, len(read))
				return err
			})
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&to, "to", "", "form: "+strings.Join(export.Forms(), ", "))
	fl.StringVar(&out, "out", "", "file to write; an existing one is replaced")
	fl.StringVar(&name, "dataset", "", "verl: the dataset whose tests are the ground truth")
	fl.StringVar(&data, "data", "", "verl: the dataset's file or directory (default: fetched once, and checked)")
	fl.StringVar(&o.Source, "data-source", "", "verl: data_source of the rows (default: deeprepo/DATASET)")
	fl.StringVar(&o.Split, "split", "train", "verl: split of the rows")
	fl.Uint64Var(&o.Seed, "seed", 0, "tinker: which side is A")
	return cmd
}

// replaceable refuses to put a file where something stands that is none, or where it was read from.
func replaceable(out, in string) error {
	const hint = "--out must name a new or plain file in an existing directory"
	if dir, err := os.Stat(filepath.Dir(out)); err != nil || !dir.IsDir() {
		return usageError{fmt.Errorf("--out %s: no such directory: %s", out, filepath.Dir(out)), hint}
	}
	old, err := os.Lstat(out)
	if err != nil {
		return nil // there is nothing
	}
	if !old.Mode().IsRegular() {
		return usageError{fmt.Errorf("--out %s exists and is not a plain file", out), hint}
	}
	if source, err := os.Stat(in); err == nil && os.SameFile(old, source) {
		return usageError{fmt.Errorf("--out %s is the input file", out), hint + ": this form omits the provenance of its rows"}
	}
	return nil
}
