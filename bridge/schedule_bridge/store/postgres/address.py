"""The address of a database, and what of it people may see."""

from __future__ import annotations

from urllib.parse import parse_qs, unquote, urlsplit


def shown(url: str) -> str:
    """The address without its password or anything else that is nobody's business."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    query = parse_qs(parts.query)
    named = host or ",".join(query.get("host", [])) or "localhost"
    database = unquote(parts.path.lstrip("/")) or query.get("dbname", [""])[0]
    return f"postgresql://{named}/{database}"
