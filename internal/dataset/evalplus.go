package dataset

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// evalPlusRow is a row of either of EvalPlus's files. Its contract field, assertions that an input has to satisfy, is
// not read: it served to make the inputs, and they all satisfy it.
type evalPlusRow struct {
	TaskID            string          `json:"task_id"`
	Prompt            string          `json:"prompt"`
	EntryPoint        string          `json:"entry_point"`
	CanonicalSolution string          `json:"canonical_solution"`
	BaseInput         json.RawMessage `json:"base_input"`
	PlusInput         json.RawMessage `json:"plus_input"`
	Atol              float64         `json:"atol"`
}

// evalPlusTask makes a task of a row. The file has inputs but no outputs: the judge computes them from the reference,
// where no candidate can look.
func evalPlusTask(ctx context.Context, p *python, r evalPlusRow, read, oracle string) (Task, error) {
	for _, field := range [][2]string{{"task_id", r.TaskID}, {"prompt", r.Prompt}, {"canonical_solution", r.CanonicalSolution}} {
		if field[1] == "" {
			return Task{}, missing(field[0])
		}
	}
	t, err := p.continued(ctx, r.TaskID, lines(r.Prompt), r.EntryPoint, lines(r.CanonicalSolution))
	if err != nil {
		return t, err
	}
	base, err := count(r.BaseInput, "base_input")
	if err != nil {
		return t, err
	}
	plus, err := count(r.PlusInput, "plus_input")
	if err != nil {
		return t, err
	}
	if base+plus == 0 {
		return t, missing("base_input")
	}
	t.Judge = strings.NewReplacer(
		"REFERENCE", quote(t.Canonical), "ENTRY", quote(t.Entry), "BASE", quote(numbers(r.BaseInput)), "PLUS", quote(numbers(r.PlusInput)),
		"ATOL", strconv.FormatFloat(r.Atol, 'g', -1, 64), "READ", read, "ORACLE", oracle,
	).Replace(evalPlusJudge)
	for i := range base + plus {
		name := place("base", i+1)
		if i >= base {
			name = place("plus", i-base+1)
		}
		t.Tests = append(t.Tests, Test{Name: name, Code: fmt.Sprintf("_evalplus(%s, %d)\n", t.Entry, i)})
	}
	return t, nil
}

// count returns how many inputs there are in data; each has to be a list of arguments.
func count(data json.RawMessage, field string) (int, error) {
	var inputs []json.RawMessage
	if len(data) > 0 {
		if err := json.Unmarshal(data, &inputs); err != nil {
			return 0, fmt.Errorf("field %q: %w", field, tidy(err))
		}
	}
	for i, in := range inputs {
		if in = bytes.TrimSpace(in); in[0] != '[' {
			return 0, fmt.Errorf("field %q: input %d is not a list of arguments", field, i+1)
		}
	}
	return len(inputs), nil
}

// evalPlusJudge compares a candidate with the reference on one input, as EvalPlus does: equal, or within the task's
// tolerance and numpy's relative one of 1e-07, which floats get in any case; where a task has more than one right
// answer, by its own oracle.
//
// The capitals are filled in. Both sides get their own copy of the input.
const evalPlusJudge = `
def _evalplus():
    import copy, json, math
    space = {"__name__": "reference"}
    exec(compile(REFERENCE, "reference", "exec"), space)
    reference = space[ENTRY]
    def read(x):
        return READ
    inputs = [read(x) for part in (BASE, PLUS) for x in json.loads(part or "[]")]
    def floats(x):
        return isinstance(x, float) or isinstance(x, (list, tuple)) and len(x) > 0 and all(isinstance(i, float) for i in x)
    def near(got, want, atol):
        if isinstance(want, (list, tuple)):
            return len(got) == len(want) and all(near(g, w, atol) for g, w in zip(got, want))
        if not (isinstance(got, (int, float, complex)) and isinstance(want, (int, float, complex))):
            return False
        return got == want or abs(got - want) <= atol + 1e-07 * abs(want) < math.inf
    def equal(got, want, atol=ATOL):
        if got == want:
            return True
        if atol == 0 and floats(want):
            atol = 1e-6
        return atol != 0 and type(got) == type(want) and near(got, want, atol)
    def right(got, want, x, atol=ATOL):
        return ORACLE
    def check(candidate, i):
        x = inputs[i]
        want = reference(*copy.deepcopy(x))
        got = candidate(*copy.deepcopy(x))
        assert right(got, want, x), "the output for input %d is not right" % i
    return check
_evalplus = _evalplus()
`

// The numbers that Python's json writes and JSON does not have, and the strings that stand for them while Go reads a row.
var notNumbers = [...]string{"-Infinity", "Infinity", "NaN"}

// stands returns the JSON string that stands for a word.
func stands(word string) string { return strconv.QuoteToASCII("\ue0fe\ue0ff" + word) }

// readable makes JSON of what Python's json wrote: NaN and the infinities become strings. numbers turns these back.
func readable(data []byte) []byte {
	if !bytes.Contains(data, []byte("NaN")) && !bytes.Contains(data, []byte("Infinity")) {
		return data
	}
	var b bytes.Buffer
	inString := false
	for i := 0; i < len(data); i++ {
		c := data[i]
		switch {
		case inString && c == '\\' && i+1 < len(data):
			b.WriteByte(c)
			i++
			c = data[i]
		case c == '"':
			inString = !inString
		case !inString:
			if word := leading(data[i:]); word != "" {
				b.WriteString(stands(word))
				i += len(word) - 1
				continue
			}
		}
		b.WriteByte(c)
	}
	return b.Bytes()
}

func leading(data []byte) string {
	for _, word := range notNumbers {
		if bytes.HasPrefix(data, []byte(word)) {
			return word
		}
	}
	return ""
}

// numbers turns what readable wrote back into what Python's json reads.
func numbers(data json.RawMessage) string {
	s := string(data)
	for _, word := range notNumbers {
		s = strings.ReplaceAll(s, stands(word), word)
	}
	return s
}
