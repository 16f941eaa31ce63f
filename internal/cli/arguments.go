package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/suggest"
	"github.com/spf13/cobra"
)

// group makes a command that only holds others. What is none of them is refused: cobra would print the group's help and
// succeed.
func group(cmd *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	cmd.Args = commandOf
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.AddCommand(commands...)
	return cmd
}

func commandOf(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := cmd.CommandPath() + " --help lists the commands"
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, sub.Name())
	}
	if near := suggest.Nearest(args[0], names); near != "" {
		hint = "did you mean " + cmd.CommandPath() + " " + near + "?"
	}
	return usageError{fmt.Errorf("unknown command %q for %q", args[0], cmd.CommandPath()), hint}
}

// one refuses anything but one argument. name is what the command is called there; defaults to its whole path.
func one(name, what, hint string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			return nil
		}
		return usageError{fmt.Errorf("%s takes one %s, got %d", cmp.Or(name, cmd.CommandPath()), what, len(args)), hint}
	}
}

// complete has a flag complete to words, completeWith to those that are made when they are asked for.
func complete(cmd *cobra.Command, flag string, words ...string) {
	completeWith(cmd, flag, func() []string { return words })
}

func completeWith(cmd *cobra.Command, flag string, words func() []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return beginning(typed, words()), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the flag was declared a line above
	}
}

// beginning are the words that begin with what was typed.
func beginning(typed string, words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !strings.HasPrefix(word, typed) })
}

func completeDir(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}
