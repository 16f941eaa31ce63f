package doc

import (
	"math"
	"strconv"
)

// Column is a column of numbers. NaN stands for none and is written as null.
type Column []float64

// MarshalJSON writes whole numbers as they are, others with seven digits: a page draws them, nobody computes with them.
func (c Column) MarshalJSON() ([]byte, error) {
	out := make([]byte, 0, 8*len(c)+2)
	out = append(out, '[')
	for i, v := range c {
		if i > 0 {
			out = append(out, ',')
		}
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			out = append(out, "null"...)
		case v == math.Trunc(v) && math.Abs(v) < 1e15:
			out = strconv.AppendInt(out, int64(v), 10)
		default:
			out = strconv.AppendFloat(out, v, 'g', 7, 64)
		}
	}
	return append(out, ']'), nil
}
