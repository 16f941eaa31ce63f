package codebase

import "testing"

func TestRoleOf(t *testing.T) {
	for p, want := range map[string]Role{
		"app/db.py": Production, "latest/contest.py": Production, "src/Latest.java": Production, "testify.go": Production,
		"tests/db.py": Test, "a/test_db.py": Test, "a/db_test.go": Test, "web/x.spec.ts": Test, "src/AppTest.java": Test, "conftest.py": Test,
		"a/testdata/x.go": Test, "examples/tests/x.py": Test,
		"client-tests/a.kt": Test, "server/server-test-base/jvm/A.kt": Test, "http_test/lib.rs": Test, ".ci/config.php": Test,
		"t/unit/app.py": Test, "_examples/a/main.go": Example, "latest-api/a.kt": Production,
		"src/HttpsTest.kt": Test, "src/Latest.kt": Production, "docs/code/dns/main.c": Example, "doc/guide/a.py": Example,
		"src/Orders.Tests/A.cs": Test, "src/Orders.UnitTests/A.cs": Test, "app/src/androidTest/A.kt": Test, "src/Latest.Api/A.cs": Production,
		"examples/app.py": Example, "docs/demo/x.js": Example,
		"org/x/benchmark/A.java": Production, "test/org/x/A.java": Test, "com/x/ATest.java": Test, "org/x/test/a.py": Test,
		"src/main/java/org/x/benchmark/A.java": Production, "src/test/java/org/x/A.java": Test, "docs/tutorial/app.py": Example,
		"static/jquery-3.1.1.js": Vendored, "static/jquery.js": Production, "static/jquery-settings.js": Production,
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

func TestRoleIn(t *testing.T) {
	for _, tc := range []struct {
		path, language, text string
		want                 Role
	}{
		{"app/checks.py", "python", "import unittest\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        pass\n", Test},
		{"app/run.py", "python", "import pytest\n\ndef run():\n    return pytest.main()\n", Production},
		{"app/db.py", "python", "def test_connection(db):\n    return db.ping()\n", Production},
		{"src/a.ts", "typescript", "import { expect } from 'chai';\n\nit('adds', () => {});\n", Test},
		{"src/a.js", "javascript", "const it = (name) => name;\nit('adds');\n", Production},
		{"src/Checks.java", "java", "import org.junit.Test;\nclass Checks {\n  @Test\n  void a() {}\n}\n", Test},
		{"src/Check.php", "php", "<?php\nclass Check extends TestCase {\n  public function testA() {}\n}\n", Test},
		{"lib/check.rb", "ruby", "require 'minitest/autorun'\ndef test_a\nend\n", Test},
	} {
		if got := RoleIn(tc.path, tc.language, []byte(tc.text)); got != tc.want {
			t.Errorf("RoleIn(%q) = %s, want %s", tc.path, got, tc.want)
		}
	}
}

func TestIsFixture(t *testing.T) {
	for p, want := range map[string]bool{"test/fixtures/a.test.js": true, "pkg/testdata/a_test.go": true, "__fixtures__/a.js": true,
		"test/a.test.js": false, "fixtures.js": false, "test/fixtures": false} {
		if got := IsFixture(p); got != want {
			t.Errorf("IsFixture(%q) = %v", p, got)
		}
	}
}
