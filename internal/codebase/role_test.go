package codebase

import "testing"

func TestRoleOf(t *testing.T) {
	for p, want := range map[string]Role{
		"app/db.py": Production, "latest/contest.py": Production, "src/Latest.java": Production, "testify.go": Production,
		"tests/db.py": Test, "a/test_db.py": Test, "a/db_test.go": Test, "web/x.spec.ts": Test, "src/AppTest.java": Test, "conftest.py": Test,
		"a/testdata/x.go": Test, "examples/tests/x.py": Test,
		"src/Orders.Tests/A.cs": Test, "src/Orders.UnitTests/A.cs": Test, "app/src/androidTest/A.kt": Test, "src/Latest.Api/A.cs": Production,
		"examples/app.py": Example, "docs/demo/x.js": Example,
		"docs/serializer.rst": Document, "README.md": Document, "docs/conf.py": Production,
		".devcontainer/x.sh": Tooling, ".github/workflows/x.yml": Tooling, ".eslintrc.js": Production,
		"api/x.pb.go": Generated, "dist/app.min.js": Generated,
		"node_modules/x/test/y.js": Vendored, "vendor/x.go": Vendored,
	} {
		if got := RoleOf(p); got != want {
			t.Errorf("RoleOf(%q) = %s, want %s", p, got, want)
		}
	}
}
