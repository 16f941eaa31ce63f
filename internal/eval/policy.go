package eval

import (
	"context"
	"errors"

	"github.com/deeprepo/deeprepo/internal/llm"
)

// sampled is the policy's model in one rollout: every request carries the rollout's seed and the eval's temperature.
type sampled struct {
	model       llm.Model
	seed        int64
	temperature *float64
	failed      func(error) // hears of every failed call
}

// Complete asks the policy.
func (s sampled) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	seed := s.seed
	r.Seed = &seed
	if s.temperature != nil {
		t := *s.temperature
		r.Temperature = &t
	}
	response, err := s.model.Complete(ctx, r)
	if err != nil {
		s.failed(err)
	}
	return response, err
}

// hopeless reports a failure that every other rollout would meet as well.
func hopeless(err error) bool {
	var call *llm.Error
	if !errors.As(err, &call) {
		return false
	}
	switch call.Kind {
	case llm.KindAuth, llm.KindQuota, llm.KindUnknownModel, llm.KindUnknownProvider, llm.KindNotConfigured, llm.KindPrice, llm.KindReplay:
		return true
	}
	return false
}
