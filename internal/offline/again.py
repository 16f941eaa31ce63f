# Ask again for what failed, one file at a time, and for every file that no worker has seen.
replies, prompts, failed = (globals().get(name, []) for name in ("replies", "prompts", "failed"))
again = list(failed) if len(failed) < len(prompts) else []
missing = coverage()["uncovered"]
if missing:
    again += [p for path in missing for p in pack([path])]
second = llm_batch(again) if again else []
still = sum(r.startswith("[dispatch failed]") for r in second)
failed = [p for p, r in zip(again, second) if r.startswith("[dispatch failed]")] or ([] if again else failed)
replies += second
print(f"{len(again)} prompts again, {still} failed, coverage {coverage()['fraction']:.0%}, {len(findings())} findings")
