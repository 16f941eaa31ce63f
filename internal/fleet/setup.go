package fleet

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"
)

// workerTTL is how long a worker is listed that says nothing any more.
const workerTTL = 15 * time.Second

// Terms are what a fleet is made with.
type Terms struct {
	// Build and Version say which program its parties are.
	Build, Version string
	// AckWait is how long a worker may be silent. Defaults to DefaultAckWait.
	AckWait time.Duration
	// Signers are the public keys whose results count. Defaults to everybody's.
	Signers []string
	// Replicas is on how many servers of a cluster everything is kept. Defaults to 1.
	Replicas int
}

// Setup makes what a fleet needs on a server, or brings it up to date.
func Setup(ctx context.Context, js jetstream.JetStream, t Terms) error {
	t.AckWait, t.Replicas = cmp.Or(t.AckWait, DefaultAckWait), cmp.Or(t.Replicas, 1)
	var g errgroup.Group // a cluster elects somebody for each of them, which takes seconds
	for _, s := range []jetstream.StreamConfig{
		{Name: workStream, Subjects: []string{workSubject + ">"}, Retention: jetstream.WorkQueuePolicy, AllowDirect: true},
		{Name: resultStream, Subjects: []string{resultSubject + ">"}, MaxMsgsPerSubject: 1, MaxAge: keptResults, AllowDirect: true,
			Compression: jetstream.S2Compression},
		{Name: deadStream, Subjects: []string{deadSubject + ">"}, MaxMsgsPerSubject: 1, MaxAge: keptResults, AllowDirect: true},
		{Name: replyStream, Subjects: []string{replySubject + "*"}, MaxMsgsPerSubject: 1, MaxAge: keptResults, AllowDirect: true,
			Compression: jetstream.S2Compression},
		{Name: verdictStream, Subjects: []string{verdictSubject + "*"}, MaxMsgsPerSubject: 1, MaxMsgs: keptVerdicts, MaxAge: keptResults,
			MaxMsgSize: mostSealed, AllowDirect: true, Compression: jetstream.S2Compression},
		{Name: journalStream, Subjects: []string{journalSubject + ">"}, MaxAge: keptResults, AllowDirect: true,
			Compression: jetstream.S2Compression},
	} {
		s.Storage, s.Replicas = jetstream.FileStorage, t.Replicas
		s.Duplicates = 100 * time.Millisecond // keys tell what is the same; the server's memory of messages is not needed
		g.Go(func() error {
			stream, err := js.CreateOrUpdateStream(ctx, s)
			if err != nil || s.Name != workStream {
				return err
			}
			return queues(ctx, stream, t.AckWait)
		})
	}
	for _, b := range []jetstream.KeyValueConfig{
		{Bucket: stateBucket}, {Bucket: workerBucket, TTL: workerTTL}, {Bucket: orderBucket, TTL: 24 * time.Hour},
		{Bucket: moneyBucket, TTL: keptResults},
	} {
		b.Storage, b.Replicas = jetstream.FileStorage, t.Replicas
		g.Go(func() error {
			_, err := js.CreateOrUpdateKeyValue(ctx, b)
			return err
		})
	}
	g.Go(func() error {
		_, err := js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: payloadBucket, TTL: keptResults,
			Replicas: t.Replicas})
		return err
	})
	if err := g.Wait(); err != nil {
		return err
	}
	kv, err := js.KeyValue(ctx, stateBucket)
	if err != nil {
		return err
	}
	text, err := json.Marshal(state{Protocol: protocol, Build: t.Build, Version: t.Version, AckWait: t.AckWait, Signers: t.Signers})
	if err != nil {
		return err
	}
	_, err = kv.Put(ctx, "fleet", text)
	return err
}

// queues makes a queue for each kind of items.
func queues(ctx context.Context, work jetstream.Stream, ackWait time.Duration) error {
	for _, kind := range Kinds() {
		_, err := work.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: string(kind), FilterSubject: workSubject + string(kind) + ".>", AckPolicy: jetstream.AckExplicitPolicy,
			AckWait: ackWait, MaxAckPending: -1, MaxWaiting: 16_384, MaxDeliver: -1,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
