package syntax

import (
	"context"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// What the module's functions return; shim.c has the same.
const (
	statusOK = iota
	statusStopped
	statusTooManyNodes
	statusBadLanguage
)

// flags of a tree that the module leaves in its result.
const (
	resultHasError = 1 << iota
	resultTruncated
)

// errBroken stands for a trap in the module, such as memory that ran out: the instance is of no more use.
var errBroken = fmt.Errorf("%w: the parser trapped", ErrTooHard)

// linkHost gives the module its one import: whether to stop.
func linkHost(ctx context.Context, r wazero.Runtime) error {
	_, err := r.NewHostModuleBuilder("host").NewFunctionBuilder().
		WithGoFunction(api.GoFunc(func(ctx context.Context, stack []uint64) {
			stack[0] = 0
			if ctx.Err() != nil {
				stack[0] = 1
			}
		}), nil, []api.ValueType{api.ValueTypeI32}).Export("stop").Instantiate(ctx)
	return err
}

// instance is one copy of the module with its own memory. It is for one
// goroutine at a time.
type instance struct {
	mod     api.Module
	memory  api.Memory
	result  uint32 // address of the module's result
	fnBegin api.Function
	fnParse api.Function
	fnNames api.Function
	stack   [6]uint64
	broken  bool // set by a call that trapped
}

func newInstance(ctx context.Context, r wazero.Runtime, m wazero.CompiledModule) (*instance, error) {
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize")
	mod, err := r.InstantiateModule(outside(ctx), m, config)
	if err != nil {
		return nil, fmt.Errorf("start the parser: %w", err)
	}
	in := &instance{
		mod: mod, memory: mod.Memory(),
		fnBegin: mod.ExportedFunction("begin"),
		fnParse: mod.ExportedFunction("parse"),
		fnNames: mod.ExportedFunction("names"),
	}
	in.result, err = in.call(ctx, mod.ExportedFunction("result"))
	if err != nil {
		in.close()
		return nil, err
	}
	return in, nil
}

// call runs f and returns its only result. Any failure is a trap.
func (in *instance) call(ctx context.Context, f api.Function, args ...uint32) (uint32, error) {
	for i, a := range args {
		in.stack[i] = uint64(a)
	}
	if err := f.CallWithStack(ctx, in.stack[:]); err != nil {
		in.broken = true
		return 0, errBroken
	}
	return uint32(in.stack[0]), nil
}

// parse parses src and reads its tree, which still lacks its names.
func (in *instance) parse(ctx context.Context, language int, src []byte) (*Tree, error) {
	text, err := in.call(ctx, in.fnBegin, uint32(len(src)))
	if err != nil {
		return nil, err
	}
	if text == 0 || !in.memory.Write(text, src) {
		in.broken = true
		return nil, ErrTooLarge
	}
	status, err := in.call(ctx, in.fnParse,
		uint32(language), text, uint32(len(src)), maxSteps(len(src)), MaxNodes, MaxDepth)
	if err != nil {
		return nil, err
	}
	if err := statusError(status); err != nil {
		return nil, err
	}
	data, flags, err := in.take(recordSize)
	if err != nil {
		return nil, err
	}
	records, err := decode(data, len(src))
	if err != nil {
		in.broken = true
		return nil, err
	}
	return &Tree{
		src: src, records: records,
		hasError:  flags&resultHasError != 0,
		truncated: flags&resultTruncated != 0,
	}, nil
}

// names reads a language's kinds and fields.
func (in *instance) names(ctx context.Context, language int) (*names, error) {
	if _, err := in.call(ctx, in.fnBegin, 0); err != nil {
		return nil, err
	}
	status, err := in.call(ctx, in.fnNames, uint32(language))
	if err != nil {
		return nil, err
	}
	if err := statusError(status); err != nil {
		return nil, err
	}
	data, kinds, err := in.take(1)
	if err != nil {
		return nil, err
	}
	return newNames(data, int(kinds)), nil
}

// take returns a view of what the module's last call left, items of size
// bytes, and its flags. The view ends with the next call.
func (in *instance) take(size uint32) (data []byte, flags uint32, err error) {
	address, ok1 := in.memory.ReadUint32Le(in.result)
	items, ok2 := in.memory.ReadUint32Le(in.result + 4)
	flags, ok3 := in.memory.ReadUint32Le(in.result + 8)
	if ok1 && ok2 && ok3 && items <= memoryPages<<16/size {
		if data, ok := in.memory.Read(address, items*size); ok {
			return data, flags, nil
		}
	}
	in.broken = true
	return nil, 0, errBroken
}

func statusError(status uint32) error {
	switch status {
	case statusOK:
		return nil
	case statusStopped:
		return ErrTooHard
	case statusTooManyNodes:
		return ErrTooLarge
	case statusBadLanguage:
		return ErrLanguage
	}
	return errBroken
}

// maxSteps returns the work that a text of so many bytes may take, in steps of
// 100 operations of the parser. Programs take about one operation a byte; this
// is 50.
func maxSteps(bytes int) uint32 { return uint32(1000 + bytes/2) }

// close frees the instance's memory.
func (in *instance) close() { _ = in.mod.Close(context.Background()) }
