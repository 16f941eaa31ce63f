# Rank the places that the issue asks to change, and hand them in.
ranked = localise(n=20)
set_answer(json.dumps({
    "files": [f["path"] for f in ranked["files"][:10]],
    "functions": [{"file": f["path"], "name": f["name"], "line": f["line"], "end_line": f["end_line"]} for f in ranked["functions"]],
}, ensure_ascii=False))
