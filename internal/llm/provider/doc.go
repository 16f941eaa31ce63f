// Package provider opens models of the services that deeprepo knows: Anthropic through anthropic-sdk-go, and OpenAI,
// OpenRouter, Ollama and any other OpenAI-compatible server through openai-go's chat completions.
//
// Its invariants: a request goes out in a form that every server takes (see llm.Repair), at most once per call of
// Complete, except that a 400 that blames an optional feature (a response schema, a sampling parameter) is answered
// by asking again without it; every failure is an *llm.Error, which says whether it may have been billed;
// an exchange keeps to its [Limits], and a reply to a size; no key leaves the package in a text, or for another server.
//
// Retrying, limits, budgets and caches are not its business: they wrap it. The SDKs' own retries and their reading
// of the environment are switched off.
package provider
