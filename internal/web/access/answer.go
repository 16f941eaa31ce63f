package access

import (
	"net/http"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/jsonfile"
)

// WriteJSON answers a request with v, without the escapes that only HTML needs: code is full of what they would blow up.
func WriteJSON(w http.ResponseWriter, status int, v any) {
	data, err := jsonfile.Line(v)
	if err != nil {
		http.Error(w, `{"detail":"the answer cannot be encoded"}`, http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(status)
	_, _ = w.Write(data) // a client that is gone does not miss it
}
