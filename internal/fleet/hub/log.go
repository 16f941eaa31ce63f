package hub

import (
	"fmt"
	"log/slog"

	"github.com/nats-io/nats-server/v2/server"
)

// Logger passes on what the server warns of.
func Logger(log *slog.Logger) server.Logger { return serverLog{log} }

type serverLog struct{ log *slog.Logger }

func (l serverLog) Noticef(string, ...any)         {} // every start says thirty of them
func (l serverLog) Warnf(format string, a ...any)  { l.log.Warn(fmt.Sprintf(format, a...)) }
func (l serverLog) Errorf(format string, a ...any) { l.log.Error(fmt.Sprintf(format, a...)) }
func (l serverLog) Fatalf(format string, a ...any) { l.log.Error(fmt.Sprintf(format, a...)) }
func (l serverLog) Debugf(string, ...any)          {}
func (l serverLog) Tracef(string, ...any)          {}
