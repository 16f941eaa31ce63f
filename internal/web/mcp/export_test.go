package mcp

import sdk "github.com/modelcontextprotocol/go-sdk/mcp"

// Inner is the SDK's server, for transports within a test.
func Inner(s *Server) *sdk.Server { return s.mcp }
