package stats

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Interval is a two-sided confidence interval.
type Interval struct {
	// Lo and Hi are its ends; NaN when it is not OK.
	Lo, Hi float64
	// Level is the confidence, such as 0.95.
	Level float64
	// Method names how it was made: "t", "bootstrap", "bca", "wilson", "bonett-price" or "all-equal".
	Method string
	// Why says, if there is no interval, what the data lack. Empty when the interval is OK.
	Why string
}

// OK reports whether there is an interval.
func (v Interval) OK() bool { return v.Why == "" }

// Ends are both ends, scaled; nil when the interval is not OK.
func (v Interval) Ends(scale float64) *[2]float64 {
	if !v.OK() {
		return nil
	}
	return &[2]float64{scale * v.Lo, scale * v.Hi}
}

// Width is Hi - Lo; NaN when the interval is not OK.
func (v Interval) Width() float64 { return v.Hi - v.Lo }

// String is "[0.812, 0.934]", or "n/a (one task)" when the interval is not OK.
func (v Interval) String() string {
	if !v.OK() {
		return "n/a (" + v.Why + ")"
	}
	return "[" + strconv.FormatFloat(v.Lo, 'f', 3, 64) + ", " + strconv.FormatFloat(v.Hi, 'f', 3, 64) + "]"
}

// IntervalJSON is an interval as it is written. Lo and Hi are null where there is none, with Why.
type IntervalJSON struct {
	Lo     *float64 `json:"lo"`
	Hi     *float64 `json:"hi"`
	Level  float64  `json:"level"`
	Method string   `json:"method,omitempty"`
	Why    string   `json:"why,omitempty"`
}

// MarshalJSON writes {"lo", "hi", "level", "method", "why"}; the ends are null if there is no interval, because JSON
// has no NaN, and where none was ever made.
func (v Interval) MarshalJSON() ([]byte, error) {
	j := IntervalJSON{Level: v.Level, Method: v.Method, Why: v.Why}
	if v.OK() && v != (Interval{}) {
		j.Lo, j.Hi = &v.Lo, &v.Hi
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Interval) UnmarshalJSON(data []byte) error {
	var j IntervalJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return fmt.Errorf("interval: %w", err)
	}
	*v = Interval{Lo: math.NaN(), Hi: math.NaN(), Level: j.Level, Method: j.Method, Why: j.Why}
	switch {
	case j.Lo != nil && j.Hi != nil:
		v.Lo, v.Hi = *j.Lo, *j.Hi
	case v.Why == "":
		v.Why = "no ends were given"
	}
	return nil
}

func noInterval(level float64, method, why string) Interval {
	return Interval{Lo: math.NaN(), Hi: math.NaN(), Level: level, Method: method, Why: why}
}

// levelOr95 is the level to use: 0.95 for the zero value and for what is not a probability.
func levelOr95(level float64) float64 {
	if level > 0 && level < 1 {
		return level
	}
	return 0.95
}
