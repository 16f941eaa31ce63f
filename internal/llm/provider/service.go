package provider

import (
	"context"
	"fmt"
	"net/url"
	"sort"
	"strings"
	"time"

	anthropicsdk "github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/deeprepo/deeprepo/internal/llm"
	openaisdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// Open gives a handle without calling out. The model's name may be any: only the server knows what it serves.
func (s service) Open(model string) (llm.Handle, error) {
	full := s.name + "/" + model
	info := s.c.Prices.Lookup(full, s.c.Models)
	if info.Price == nil && !s.billed {
		info.Price = llm.NotBilled()
	}
	if info.Price != nil && s.anthropic && info.Price.CacheWrite == nil {
		// Anthropic charges 1.25 times the input price for writing its five-minute prompt cache:
		// https://platform.claude.com/docs/en/about-claude/pricing
		price := *info.Price
		write := price.Input + (price.Input+3)/4
		price.CacheWrite = &write
		info.Price = &price
	}
	h := llm.Handle{Name: full, Price: info.Price, Context: info.Context, Output: info.Output, Local: s.local, Tools: true, Schema: true,
		Raw: !s.anthropic}
	if err := s.configured(full); err != nil {
		return h, err
	}
	var m llm.Model
	e := endpoint{svc: s, model: model, full: full, most: info.Output, quirks: s.quirks()}
	// The services are built without the SDKs' clients, which would read the environment.
	if s.anthropic {
		m = &messages{e, anthropicsdk.NewMessageService(s.anthropicOptions(full)...)}
	} else {
		o := s.openaiOptions(full)
		m = &chat{e, openaisdk.NewChatCompletionService(o...), openaisdk.NewCompletionService(o...)}
	}
	h.Model = llm.WithPrice(m, info.Price)
	return h, nil
}

func (s service) configured(full string) error {
	if u, err := url.Parse(s.base); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return &llm.Error{Kind: llm.KindNotConfigured, Model: full, Message: "the base URL is not an http or https address",
			Hints: "it should look like http://127.0.0.1:8080/v1"}
	}
	if s.keyVar != "" && s.key == "" {
		return &llm.Error{Kind: llm.KindNotConfigured, Model: full, Message: s.keyVar + " is not set",
			Hints: fmt.Sprintf("export %s=..., or run without a key: --root offline/orchestrator", s.keyVar)}
	}
	return nil
}

func (s service) openaiOptions(full string) []option.RequestOption {
	key := s.key
	if key == "" {
		key = "none" // servers without accounts want some bearer token all the same
	}
	return []option.RequestOption{
		option.WithHTTPClient(s.c.Client), option.WithBaseURL(s.base), option.WithAPIKey(key), option.WithMaxRetries(0),
		option.WithMiddleware(s.guard(full)),
	}
}

func (s service) anthropicOptions(full string) []anthropicoption.RequestOption {
	return []anthropicoption.RequestOption{
		anthropicoption.WithHTTPClient(s.c.Client), anthropicoption.WithBaseURL(s.base), anthropicoption.WithAPIKey(s.key),
		anthropicoption.WithMaxRetries(0), anthropicoption.WithHeader("anthropic-version", "2023-06-01"), anthropicoption.WithMiddleware(s.guard(full)),
	}
}

// Status lists the server's models, for at most Config.ListTimeout.
func (s service) Status(ctx context.Context) llm.Status {
	st := llm.Status{Provider: s.name, Address: s.address(), Local: s.local, Models: s.c.Prices.Models(s.name)}
	seen := map[string]int{}
	for i, m := range st.Models {
		seen[m.Name] = i
		st.Models[i] = s.c.Prices.Lookup(m.Name, s.c.Models)
	}
	for name := range s.c.Models {
		if _, ok := seen[name]; !ok && strings.HasPrefix(name, s.name+"/") {
			st.Models = append(st.Models, s.c.Prices.Lookup(name, s.c.Models))
		}
	}
	defer func() { sort.Slice(st.Models, func(i, j int) bool { return st.Models[i].Name < st.Models[j].Name }) }()
	if err := s.configured(s.name); err != nil {
		st.Problem = err.(*llm.Error).Message
		if s.keyVar != "" && s.key == "" {
			st.Missing = s.keyVar
		}
		return st
	}
	st.Configured = true
	start := time.Now()
	ctx, cancel := context.WithTimeout(ctx, s.c.ListTimeout)
	defer cancel()
	served, err := s.list(ctx)
	if err != nil {
		e := s.failure(ctx, s.name, err)
		st.Problem = e.Message
		if e.Kind == llm.KindCanceled {
			st.Problem = fmt.Sprintf("no answer within %s", time.Since(start).Round(100*time.Millisecond))
		}
		return st
	}
	st.Reachable, st.Served = true, served
	if !s.billed {
		for _, name := range served {
			info := s.c.Prices.Lookup(s.name+"/"+name, s.c.Models)
			if info.Price == nil {
				info.Price = llm.NotBilled()
			}
			if _, ok := s.c.Models[info.Name]; !ok {
				st.Models = append(st.Models, info)
			}
		}
	}
	return st
}

// maxServed caps a model list; OpenRouter's holds several hundred.
const maxServed = 5000

func (s service) list(ctx context.Context) ([]string, error) {
	var names []string
	if s.anthropic {
		api := anthropicsdk.NewModelService(s.anthropicOptions(s.name)...)
		page, err := present(api.List(ctx, anthropicsdk.ModelListParams{Limit: anthropicsdk.Int(1000)}))
		if err != nil {
			return nil, err
		}
		for _, m := range page.Data {
			names = append(names, s.secrets.Exact(m.ID))
		}
	} else {
		api := openaisdk.NewModelService(s.openaiOptions(s.name)...)
		page, err := present(api.List(ctx))
		if err != nil {
			return nil, err
		}
		for _, m := range page.Data {
			names = append(names, s.secrets.Exact(m.ID))
		}
	}
	sort.Strings(names)
	return names[:min(len(names), maxServed)], nil
}
