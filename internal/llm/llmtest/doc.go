// Package llmtest is a fake model server for tests: OpenAI-compatible chat completions, completions (not
// streamed), a model list and Anthropic
// messages, streamed or not, with scripted replies, latency and faults. It speaks the wire formats, so what is
// tested is the real provider code over a real connection.
//
//	srv := llmtest.NewServer(t, llmtest.Options{
//		Latency: 50 * time.Millisecond,
//		Reply: func(r llmtest.ChatRequest) llmtest.Reply {
//			if r.Call <= 2 {
//				return llmtest.RateLimited(time.Second) // the first two calls meet a 429
//			}
//			if strings.Contains(r.Last(), "main.py") {
//				return llmtest.Text(`{"findings": []}`)
//			}
//			return llmtest.Reply{ToolCalls: []llmtest.ToolCall{{Name: "execute_python", Arguments: `{"code":"1"}`}}}
//		},
//	})
//	// OPENAI_BASE_URL = srv.URL + "/v1", OPENAI_API_KEY = anything; ANTHROPIC_BASE_URL = srv.URL
//
// A test that counts money sets Reply.Input and Reply.Output and finds exactly these tokens in the reply's usage.
// Without them the server counts one token for every four bytes, at least one. Server.Usage sums what was sent in
// replies that succeeded, so a bill can be checked against the server's own books.
//
// It knows no model and checks no key beyond Options.Key. It is not a load generator.
package llmtest
