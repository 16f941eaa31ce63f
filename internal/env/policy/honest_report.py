# The report: what was proven where the REPL says so, else what the workers said.
try:
    found = findings()
except NameError:
    found = []
doc = ["# Architecture overview", "", str(len(codebase)) + " files.", "", "# Bugs and issues", ""]
for f in found:
    doc.append("- " + f["severity"] + " " + f["file"] + ":" + str(f["line"]) + " " + f["title"])
if not found:
    for r in replies + more:
        doc.append("- " + str(r)[:300])
set_answer("\n".join(doc))
