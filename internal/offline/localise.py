# Rank the places that the issue asks to change, and hand them in, with what each signal gave.
def _said(place):
    why = [{"name": s["name"], "value": round(s["value"], 3)} for s in place.get("why", []) if abs(s["value"]) >= 0.0005]
    return {"file": place["path"], "score": round(place["score"], 3), "why": why}

ranked = localise(n=20)
set_answer(json.dumps({
    "files": [_said(f) for f in ranked["files"][:10]],
    "functions": [_said(f) | {"name": f["name"], "line": f["line"], "end_line": f["end_line"]} for f in ranked["functions"]],
}, ensure_ascii=False))
