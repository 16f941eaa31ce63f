package llm

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestRegistry(t *testing.T) {
	prices, err := DefaultPrices()
	if err != nil {
		t.Fatal(err)
	}
	reg := NewRegistry(prices)
	opened := ""
	open := func(model string) (Handle, error) {
		opened = model
		return Handle{Model: Func(func(context.Context, Request) (Response, error) { return Response{Text: "x"}, nil })}, nil
	}
	reg.Register("offline", open, "orchestrator", "rules")
	reg.Register("nano", open)

	h, err := reg.Open("offline/rules")
	if err != nil {
		t.Fatal(err)
	}
	if h.Name != "offline/rules" || !h.Local || h.Price == nil || !h.Price.Free() || h.Price.Source != "not billed" {
		t.Errorf("handle %+v, price %+v", h, h.Price)
	}
	if resp, err := h.Model.Complete(t.Context(), Request{}); err != nil || resp.Cost == nil || *resp.Cost != 0 {
		t.Errorf("cost %v, %v: it is known to be 0", resp.Cost, err)
	}
	if _, err := reg.Open("nano/policy:adapter/v2"); err != nil || opened != "policy:adapter/v2" {
		t.Errorf("opened %q, %v", opened, err)
	}
	if _, err := reg.Open("offline/rules:x"); err != nil || opened != "rules:x" {
		t.Errorf("opened %q, %v", opened, err)
	}

	tests := []struct {
		name string
		kind Kind
		text string // in the message
		hint string
	}{
		{"offlin/rules", KindUnknownProvider, "nano, offline", "offline/rules"},
		{"offline/rule", KindUnknownModel, "offline/orchestrator, offline/rules", "offline/rules"},
		{"offline/", KindUnknownModel, "provider/model", ""},
		{"", KindUnknownModel, "provider/model", "nano, offline"},
		{"claude-opus-4-6", KindUnknownModel, "provider/model", `"anthropic/claude-opus-4-6"`},
		{"antropic/claude-opus-4-6", KindUnknownProvider, "no provider", `"anthropic/claude-opus-4-6"`},
		{"offline/zzzzzzzzzzzzzz", KindUnknownModel, "no model", "there are"},
		{strings.Repeat("x", 100_000) + "/y", KindUnknownProvider, "no provider", ""},
	}
	for _, tt := range tests {
		_, err := reg.Open(tt.name)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Kind != tt.kind || !strings.Contains(e.Error(), tt.text) || !strings.Contains(e.Hint(), tt.hint) {
			t.Errorf("Open(%.40q) = %.200v (hint %.200q); want kind %s with %q and hint %q", tt.name, err, e.Hint(), tt.kind, tt.text, tt.hint)
		}
	}
	list := reg.List(t.Context())
	if len(list) != 2 || list[0].Provider != "nano" || list[1].Provider != "offline" || len(list[1].Models) != 2 || !list[1].Reachable {
		t.Errorf("list %+v", list)
	}
}

func TestScrub(t *testing.T) {
	const key = "sk-live-0123456789abcdefghij"
	s := NewScrubber(key, "hunter22", "none", "")
	tests := []struct{ in, want string }{
		{"nothing here, none at all", "nothing here, none at all"},
		{"Bad key " + key + ".", "Bad key [key removed]."},
		{key + key, "[key removed][key removed]"},
		{"piece 0123456789abcd end", "piece [key removed] end"},
		{"short piece 0123456789a", "short piece 0123456789a"},
		{"password hunter22!", "password [key removed]!"},
		{"somebody else's sk-proj-ABCDEFGHIJKLMNOP", "somebody else's [key removed]"},
		{"Authorization: Bearer abc.def.ghi-jkl", "Authorization: [key removed]"},
	}
	for _, tt := range tests {
		if got := s.Text(tt.in); got != tt.want {
			t.Errorf("Text(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
	if got := s.Exact("review: sk-proj-ABCDEFGHIJKLMNOP is hard-coded"); !strings.Contains(got, "sk-proj") {
		t.Errorf("Exact removed what is not ours: %q", got)
	}
}

func FuzzScrub(f *testing.F) {
	f.Add("key sk-live-0123456789abcdefghij", "sk-live-0123456789abcdefghij")
	f.Add("aaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaa")
	f.Fuzz(func(t *testing.T, text, secret string) {
		secret = strings.TrimSpace(secret)
		if len(secret) < 6 || strings.Contains(removed, secret[:min(fragment, len(secret))]) {
			return
		}
		if got := NewScrubber(secret).Text(text); len(secret) <= fragment && strings.Contains(strings.ReplaceAll(got, removed, "\x00"), secret) {
			t.Fatalf("%q still holds %q", got, secret)
		}
	})
}
