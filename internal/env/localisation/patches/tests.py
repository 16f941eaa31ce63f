# Runs the tests that the arguments name with pytest; the outcome of each phase is a line of JSON in the report.
def _main():
    import json, os, sys

    here = os.getcwd()
    args = ["-q", "--tb=short", "--rootdir=" + here, "-p", "no:cacheprovider", *sys.argv[1:]]
    sys.argv[:] = ["pytest"]
    own = [d for d in (os.path.join(here, "src"), here) if os.path.isdir(d)]
    sys.path[:] = own + [p for p in sys.path if p]
    out = os.fdopen(os.dup(3), "w", 1)

    class Report:
        def pytest_runtest_logreport(self, report):
            out.write(json.dumps([report.nodeid, report.when, report.outcome]) + "\n")

    import pytest

    return int(pytest.main(args, plugins=[Report()]))


raise SystemExit(_main())
