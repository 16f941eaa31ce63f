"""One episode over a WebSocket."""

import asyncio
import json

import websockets


class EpisodeError(RuntimeError):
    """The server refused a message or closed the connection."""


class Episode:
    """One connection, which plays one episode at a time."""

    def __init__(self, base_url, timeout=1800.0):
        scheme, rest = base_url.split("://", 1)
        self._url = f"{'wss' if scheme == 'https' else 'ws'}://{rest.rstrip('/')}/ws"
        self._timeout = timeout  # a step lasts as long as its workers
        self._socket = None

    async def reset(self, **data):
        """Begin an episode; returns its first result."""
        if self._socket is None:
            try:
                self._socket = await websockets.connect(
                    self._url, max_size=None, open_timeout=60, ping_interval=20, ping_timeout=None, proxy=None
                )
            except (OSError, websockets.WebSocketException, asyncio.TimeoutError) as e:
                raise EpisodeError(f"no server answers at {self._url.rsplit('/t/', 1)[0]}: {e}") from e
        return await self._call("reset", {k: v for k, v in data.items() if v is not None})

    async def step(self, message, usage=None, finish_reason=None):
        """Send the policy's reply; returns the result."""
        action = {"message": message}
        if usage:
            action["usage"] = usage
        if finish_reason:
            action["finish_reason"] = finish_reason
        return await self._call("step", action)

    async def close(self):
        """End the episode."""
        socket, self._socket = self._socket, None
        if socket is not None:
            await socket.close()

    async def _call(self, kind, data):
        try:
            await self._socket.send(json.dumps({"type": kind, "data": data}))
            answer = json.loads(await asyncio.wait_for(self._socket.recv(), self._timeout))
        except (websockets.WebSocketException, asyncio.TimeoutError, OSError) as e:
            raise EpisodeError(f"the connection broke: {e or type(e).__name__}") from e
        if answer["type"] == "error":
            raise EpisodeError(f"{answer['data']['code']}: {answer['data']['message']}")
        return answer["data"]
