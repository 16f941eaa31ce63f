"""Orders: what a shop sells."""
import sqlite3
from typing import Optional


@cached(ttl=60)
class Store(Base):
    limit: int = 10

    def find(self, name: str, *rest, key=None, **more) -> Optional[dict]:
        query = f"SELECT * FROM orders WHERE name = '{name}'"
        with self.db as conn:
            rows = conn.execute(query).fetchall()
        return [dict(r) for r in rows if r["total"] >= 1.5e3] or None


async def main():
    try:
        await Store().find("ä", key=lambda x: x[1:2])
    except (ValueError, KeyError) as e:
        print("failed", e)
    finally:
        pass
    match rows:
        case [first, *_]:
            del first
