package fleet

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// workerTTL is how long a worker is listed that says nothing any more.
const workerTTL = 15 * time.Second

// Setup makes what a fleet needs on a server, or brings it up to date. ackWait 0 means the default; signers are the public
// keys whose results count, none for everybody's.
func Setup(ctx context.Context, js jetstream.JetStream, build, version string, ackWait time.Duration, signers []string) error {
	ackWait = cmp.Or(ackWait, DefaultAckWait)
	var failed []error
	streams := []jetstream.StreamConfig{
		{Name: workStream, Subjects: []string{workSubject + ">"}, Retention: jetstream.WorkQueuePolicy, AllowDirect: true},
		{Name: resultStream, Subjects: []string{resultSubject + ">"}, MaxMsgsPerSubject: 1, MaxAge: keptResults, AllowDirect: true,
			Compression: jetstream.S2Compression},
		{Name: deadStream, Subjects: []string{deadSubject + ">"}, MaxMsgsPerSubject: 1, MaxAge: keptResults, AllowDirect: true},
	}
	for _, s := range streams {
		s.Storage = jetstream.FileStorage
		s.Duplicates = 100 * time.Millisecond // keys tell what is the same; the server's memory of messages is not needed
		_, err := js.CreateOrUpdateStream(ctx, s)
		failed = append(failed, err)
	}
	for _, kind := range Kinds() {
		_, err := js.CreateOrUpdateConsumer(ctx, workStream, jetstream.ConsumerConfig{
			Durable: string(kind), FilterSubject: workSubject + string(kind) + ".>", AckPolicy: jetstream.AckExplicitPolicy,
			AckWait: ackWait, MaxAckPending: -1, MaxWaiting: 16_384, MaxDeliver: -1,
		})
		failed = append(failed, err)
	}
	for _, b := range []jetstream.KeyValueConfig{
		{Bucket: stateBucket}, {Bucket: workerBucket, TTL: workerTTL}, {Bucket: orderBucket, TTL: 24 * time.Hour},
	} {
		b.Storage = jetstream.FileStorage
		_, err := js.CreateOrUpdateKeyValue(ctx, b)
		failed = append(failed, err)
	}
	_, err := js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: payloadBucket, TTL: keptResults})
	if err := errors.Join(append(failed, err)...); err != nil {
		return err
	}
	kv, err := js.KeyValue(ctx, stateBucket)
	if err != nil {
		return err
	}
	text, err := json.Marshal(state{Protocol: protocol, Build: build, Version: version, AckWait: ackWait, Signers: signers})
	if err != nil {
		return err
	}
	_, err = kv.Put(ctx, "fleet", text)
	return err
}
