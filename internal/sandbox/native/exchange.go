package native

import (
	"errors"
	"time"
)

var (
	errLate = errors.New("ran past its deadline")
	errGone = errors.New("hung up")
)

// maxDepth is how deep calls back and forth may nest.
const maxDepth = 40

// side is one of the two interpreters and the time that it has left; the clock runs only while it is its turn.
type side struct {
	*child
	left time.Duration
}

// exchange carries messages between judge and suspect. Exactly one of them has the turn.
type exchange struct {
	suspect *side
	judge   *side // nil while there are no tests
	stopped error // why the suspect is gone
	depth   int
}

// order has a side do what the host wants, serving its requests meanwhile.
func (x *exchange) order(s *side, data []byte) ([]byte, error) {
	return x.turn(s, frame{kindOrder, data})
}

// turn gives a side the turn with a message and returns its reply.
func (x *exchange) turn(s *side, f frame) ([]byte, error) {
	if x.depth++; x.depth > maxDepth {
		return nil, errors.New("calls back and forth are nested too deeply")
	}
	defer func() { x.depth-- }()
	for {
		got, err := s.say(f)
		if err != nil {
			return nil, err
		}
		switch got.kind {
		case kindReply:
			return got.data, nil
		case kindMark:
			f = frame{kindReply, nil}
		case kindAsk:
			reply, err := x.carry(s, got.data)
			if err != nil {
				return nil, err
			}
			f = frame{kindReply, reply}
		default:
			s.kill()
			return nil, errGone
		}
	}
}

// carry takes a request of one side to the other. The end of the suspect is news to the judge, not an error.
func (x *exchange) carry(from *side, data []byte) ([]byte, error) {
	if from == x.suspect {
		if x.judge == nil || x.depth < 2 {
			x.suspect.kill() // there is no one to ask now
			return nil, errGone
		}
		return x.turn(x.judge, frame{kindRequest, data})
	}
	if x.stopped == nil {
		reply, err := x.turn(x.suspect, frame{kindRequest, data})
		if err == nil {
			return reply, nil
		}
		x.stopped = err
	}
	return []byte(`["exit","Timeout","stopped",1]`), nil
}

// say sends a frame and waits for the next one; only this side's clock runs meanwhile.
func (s *side) say(f frame) (frame, error) {
	began := time.Now()
	defer func() { s.left -= time.Since(began) }()
	return s.child.say(f, began.Add(max(s.left, 0)))
}
