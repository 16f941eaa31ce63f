package nano_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/gguftest"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/nano"
	"go.uber.org/goleak"
)

// template is a chat template with a system message of its own.
const template = "{% if messages[0]['role'] != 'system' %}{{ '<|im_start|>system\nYou help.<|im_end|>\n' }}{% endif %}..."

// chattingFile writes a model that chats as a GGUF file, and gives its name as a model's. Of the output matrix, which is its own, edit
// changes the row of a token.
func chattingFile(t testing.TB, template string, edit map[string]float32) string {
	t.Helper()
	v := bpe.Vocabulary{Pre: "smollm", Tokens: []string{"<|endoftext|>", "<|im_start|>", "<|im_end|>"}, Special: []bool{true, true, true}}
	for r := '!'; r <= '~'; r++ {
		v.Tokens = append(v.Tokens, string(r))
	}
	v.Tokens = append(v.Tokens, "Ġ", "Ċ")
	v.Special = append(v.Special, make([]bool, len(v.Tokens)-3)...)
	m := transformer.New(transformer.Config{Vocab: len(v.Tokens), Dim: 32, Layers: 2, Heads: 4, KVHeads: 2, Hidden: 48, Context: 512,
		Untied: true}, 7)
	for _, p := range m.Params() {
		for i := range p.Data {
			switch p.Name {
			case "model.norm.weight":
				p.Data[i] = 3 // or all tokens are about as likely
			case "lm_head.weight":
				if by, ok := edit[v.Tokens[i/32]]; ok {
					p.Data[i] *= by
				}
			}
		}
	}
	name := filepath.Join(t.TempDir(), "chatting.gguf")
	if err := os.WriteFile(name, gguftest.Of(m, "llama", v, template).Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// openChatting opens such a model as the program does.
func openChatting(t testing.TB, template string, edit map[string]float32) llm.Handle {
	t.Helper()
	p := nano.NewProvider(nano.ProviderConfig{Sampler: nano.SamplerConfig{Cores: 2}})
	t.Cleanup(func() { _ = p.Close() })
	registry := llm.NewRegistry(nil)
	registry.RegisterProvider("nano", p)
	h, err := registry.Open("nano/" + chattingFile(t, template, edit))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func user(text string) []llm.Message { return []llm.Message{{Role: llm.RoleUser, Content: text}} }

func ask(t testing.TB, h llm.Handle, r llm.Request) llm.Response {
	t.Helper()
	out, err := h.Model.Complete(t.Context(), r)
	if err != nil {
		t.Error(err)
	}
	return out
}

// TestMessagesDoNotDependOnTheOthers asks one by one, and then all at once with turns of a loop among them.
func TestMessagesDoNotDependOnTheOthers(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	t.Run("", func(t *testing.T) {
		request := func(i int) llm.Request {
			seed := int64(i)
			r := llm.Request{System: "Be brief.", Seed: &seed, MaxTokens: 60, Turn: i%4 == 3,
				Messages: user("Write f" + strings.Repeat("x", i%5) + "().")}
			if i%2 == 0 {
				r.Messages = append(r.Messages, llm.Message{Role: llm.RoleAssistant, Content: "def f"}, user("Go on.")[0])
			}
			return r
		}
		const n = 24
		var alone [n]llm.Response
		h := openChatting(t, template, nil)
		said := map[string]bool{}
		for i := range n {
			alone[i] = ask(t, h, request(i))
			said[alone[i].Text] = true
		}
		if len(said) < n-2 {
			t.Errorf("%d requests have %d replies", n, len(said))
		}
		others := openChatting(t, template, nil)
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() {
				got := ask(t, others, request(i))
				if got.Text != alone[i].Text || got.Usage != alone[i].Usage || got.Finish != alone[i].Finish {
					t.Errorf("request %d: %q (%s, %+v), alone %q (%s, %+v)", i, got.Text, got.Finish, got.Usage, alone[i].Text, alone[i].Finish,
						alone[i].Usage)
				}
			})
		}
		all.Wait()
	})
}

// TestMessagesAreRenderedByTheModelsTemplate counts the tokens that a conversation becomes: a character is one here.
func TestMessagesAreRenderedByTheModelsTemplate(t *testing.T) {
	h := openChatting(t, template, nil)
	if h.Context != 512 || h.Output != 512 || h.Tools || h.Schema || h.Raw || !h.Local || !h.Digests || !h.Price.Free() {
		t.Errorf("handle %+v", h)
	}
	schema := &llm.Schema{Name: "x", JSON: json.RawMessage(`{"type":"object"}`)}
	zero := 0.0
	message := func(role, text string) int { return len(role) + len(text) + 4 } // start, two line ends, end
	const reply = len("assistant") + 2
	for name, c := range map[string]struct {
		request llm.Request
		want    int
	}{
		"its own system message": {llm.Request{Messages: user("hi")}, message("system", "You help.") + message("user", "hi") + reply},
		"another":                {llm.Request{System: "No.", Messages: user("hi")}, message("system", "No.") + message("user", "hi") + reply},
		"a schema": {llm.Request{System: "No.", Messages: user("hi"), Schema: schema},
			message("system", llm.SchemaPrompt("No.", *schema)) + message("user", "hi") + reply},
		"what a message spells is text": {llm.Request{System: "No.", Messages: user("<|im_end|>")},
			message("system", "No.") + message("user", "<|im_end|>") + reply},
	} {
		c.request.MaxTokens, c.request.Temperature = 1, &zero
		if got := ask(t, h, c.request); got.Usage != (llm.Usage{InputTokens: int64(c.want), OutputTokens: 1}) || *got.Cost != 0 {
			t.Errorf("%s: %+v, want %d tokens", name, got.Usage, c.want)
		}
	}
	// A turn of the loop is a view, and its limit that of a cell.
	r := ask(t, h, llm.Request{System: "No.", Messages: user(strings.Repeat("word ", 200)), Turn: true})
	if r.Usage.OutputTokens > 192 || r.Usage.InputTokens < 300 {
		t.Errorf("a turn: %+v", r.Usage)
	}
}

func TestMessagesEnd(t *testing.T) {
	zero := 0.0
	request := llm.Request{Messages: user("hi"), MaxTokens: 40, Temperature: &zero}
	silent := openChatting(t, template, map[string]float32{"<|endoftext|>": 0, "<|im_end|>": 0, "<|im_start|>": 0})
	whole := ask(t, silent, request)
	if whole.Finish != llm.FinishLength || whole.Usage.OutputTokens != 40 || len(whole.Text) != 40 {
		t.Fatalf("%+v", whole)
	}
	// Text that was asked for ends it, where the first of the sequences begins.
	stop := whole.Text[10:13]
	at := strings.Index(whole.Text, stop)
	request.Stop = []string{"", "nowhere", stop}
	if got := ask(t, silent, request); got.Finish != llm.FinishStop || got.Text != whole.Text[:at] || got.Usage.OutputTokens != int64(at+3) {
		t.Errorf("stopped at %q: %+v", stop, got)
	}
	request.Stop = nil
	var told string
	request.OnDelta = func(text string) { told += text }
	if got := ask(t, silent, request); told != got.Text {
		t.Errorf("told %q", told)
	}
	// The model's own ends: the sign of a row decides whether its token is the likeliest or the least likely.
	for _, token := range []string{"<|im_end|>", "<|endoftext|>"} {
		ended := 0
		for _, by := range []float32{40, -40} {
			h := openChatting(t, template, map[string]float32{"<|endoftext|>": 0, "<|im_end|>": 0, "<|im_start|>": 0, token: by})
			got := ask(t, h, llm.Request{Messages: user("hi"), MaxTokens: 400, Temperature: &zero})
			if got.Finish == llm.FinishLength {
				continue
			}
			if ended++; got.Finish != llm.FinishStop || len(got.Text) != int(got.Usage.OutputTokens)-1 {
				t.Errorf("%s: %+v", token, got)
			}
		}
		if ended == 0 {
			t.Errorf("%s ends nothing", token)
		}
	}
}

func TestMessagesBeyondTheContext(t *testing.T) {
	h := openChatting(t, template, map[string]float32{"<|endoftext|>": 0, "<|im_end|>": 0})
	zero := 0.0
	_, err := h.Model.Complete(t.Context(), llm.Request{System: "Be brief.", Messages: append(user("hi"),
		llm.Message{Role: llm.RoleAssistant, Content: "yes"}, user(strings.Repeat("x", 500))[0])})
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind != llm.KindContextLength ||
		!strings.Contains(e.Message, "has 564 tokens, and the model's context of 512") ||
		!strings.Contains(e.Message, "number 4 of 4, by user, with 500 tokens") || e.Hint() == "" {
		t.Errorf("%v", err)
	}
	// What is left is the reply's.
	got := ask(t, h, llm.Request{System: "Be brief.", Messages: user(strings.Repeat("x", 470)), Temperature: &zero})
	if room := 512 - got.Usage.InputTokens; got.Finish != llm.FinishLength || got.Usage.OutputTokens != room || room < 1 || room > 20 {
		t.Errorf("%+v (%s)", got.Usage, got.Finish)
	}
}

// giving is a context that is given up when it has been asked a number of times.
type giving struct {
	context.Context
	cancel context.CancelFunc
	mu     sync.Mutex
	left   int
}

func (g *giving) Err() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.left--; g.left < 0 {
		g.cancel()
	}
	return g.Context.Err()
}

func TestMessagesAreGivenUp(t *testing.T) {
	h := openChatting(t, template, map[string]float32{"<|endoftext|>": 0, "<|im_end|>": 0})
	for _, asked := range []int{0, 1, 2, 20} {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := h.Model.Complete(&giving{Context: ctx, cancel: cancel, left: asked}, llm.Request{Messages: user("hi")})
		if llm.KindOf(err) != llm.KindCanceled || !errors.Is(err, context.Canceled) {
			t.Errorf("after %d: %v", asked, err)
		}
		cancel()
	}
	if got := ask(t, h, llm.Request{Messages: user("hi"), MaxTokens: 5}); got.Usage.OutputTokens != 5 {
		t.Errorf("%+v", got)
	}
}

func TestMessagesThatAreRefused(t *testing.T) {
	half := 0.5
	chats := openChatting(t, template, nil)
	called := append(user("hi"), llm.Message{Role: llm.RoleAssistant, ToolCalls: []llm.ToolCall{{Name: "f"}}}, user("x")[0])
	dir := t.TempDir()
	store(t, dir, false)
	p := nano.NewProvider(nano.ProviderConfig{})
	defer p.Close()
	policy, err := p.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		h       llm.Handle
		request llm.Request
		want    string
	}{
		{"a policy of ours", policy, llm.Request{Messages: user("hi")}, "answers nothing else: it was trained from nothing"},
		{"no template", openChatting(t, "", nil), llm.Request{Messages: user("hi")}, "its file has no chat template"},
		{"another template", openChatting(t, "[INST]", nil), llm.Request{Messages: user("hi")}, "not of ChatML"},
		{"nothing", chats, llm.Request{}, "a conversation of no messages"},
		{"a text to go on with", chats, llm.Request{Prompt: "def f"}, "goes on with no text"},
		{"tools", chats, llm.Request{Messages: user("hi"), Tools: tool}, "not trained to call tools"},
		{"a call", chats, llm.Request{Messages: called}, "message 2 calls a tool"},
		{"a tool's answer", chats, llm.Request{Messages: []llm.Message{{Role: llm.RoleTool, Content: "1"}}}, `by "tool"`},
		{"top_p", chats, llm.Request{Messages: user("hi"), TopP: &half}, "top_p is 0.5"},
	} {
		_, err := c.h.Model.Complete(t.Context(), c.request)
		if llm.KindOf(err) != llm.KindBadRequest || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if policy.Context != 0 || policy.Output != 192 || !policy.Digests {
		t.Errorf("a policy's handle: %+v", policy)
	}
}
