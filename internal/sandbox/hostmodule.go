package sandbox

import (
	"context"
	"errors"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

var errBadPointer = errors.New("the guest passed a pointer outside its memory")

// instantiateHost gives the guest its imports, see cpython/guest.c. Pointers are the guest's word and checked; a panic
// ends the instance, never the worker.
func instantiateHost(ctx context.Context, r wazero.Runtime) error {
	const i32, i64 = api.ValueTypeI32, api.ValueTypeI64
	b := r.NewHostModuleBuilder("dr")
	export := func(name string, f func(g *instance, mem api.Memory, stack []uint64), params, results []api.ValueType) {
		b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(ctx context.Context, m api.Module, stack []uint64) {
			f(ctx.Value(instanceKey{}).(*instance), m.Memory(), stack)
		}), params, results).Export(name)
	}
	export("tick", func(g *instance, _ api.Memory, stack []uint64) {
		n, err := g.meter.tick(int64(stack[0]))
		if err != nil {
			panic(err)
		}
		stack[0] = uint64(n)
	}, []api.ValueType{i64}, []api.ValueType{i64})
	export("ran", func(g *instance, _ api.Memory, stack []uint64) {
		stack[0] = uint64(g.meter.ran(int64(stack[0])))
	}, []api.ValueType{i64}, []api.ValueType{i64})
	export("out", func(g *instance, mem api.Memory, stack []uint64) {
		g.write(stack[0], view(mem, stack[1], stack[2]))
	}, []api.ValueType{i32, i32, i32}, nil)
	export("result", func(g *instance, mem api.Memory, stack []uint64) {
		if field := uint32(stack[0]); field < uint32(len(g.fields)) {
			g.fields[field] = string(view(mem, stack[1], stack[2]))
		}
	}, []api.ValueType{i32, i32, i32}, nil)
	export("ended", func(g *instance, _ api.Memory, stack []uint64) {
		if g.ended == endedNot {
			g.ended = int32(uint32(stack[0]))
		}
	}, []api.ValueType{i32}, nil)
	export("call", func(g *instance, mem api.Memory, stack []uint64) {
		reply, err := g.ask(view(mem, stack[0], stack[1]), view(mem, stack[2], stack[3]))
		n := len(reply)
		if err != nil {
			reply = []byte(err.Error())
			n = -1 - len(reply)
		}
		g.reply = reply
		stack[0] = uint64(uint32(int32(n)))
	}, []api.ValueType{i32, i32, i32, i32}, []api.ValueType{i32})
	export("take", func(g *instance, mem api.Memory, stack []uint64) {
		if !mem.Write(uint32(stack[0]), g.reply) {
			panic(errBadPointer)
		}
		g.reply = nil
	}, []api.ValueType{i32}, nil)
	_, err := b.Instantiate(ctx)
	return err
}

// view is valid until the guest runs again.
func view(mem api.Memory, p, n uint64) []byte {
	b, ok := mem.Read(uint32(p), uint32(n))
	if !ok {
		panic(errBadPointer)
	}
	return b
}
