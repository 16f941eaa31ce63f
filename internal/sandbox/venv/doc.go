// Package venv makes Python environments with pinned packages, for programs that a jail runs. [Store.Create] makes one
// with the packages of a lock file, whose hashes pip checks; it is there whole or not at all, and never changed
// afterwards. [Store.Python] is its interpreter, for native.Config.
//
// What it is not: a package manager. Locks are made by pip-compile or uv, packages are installed by pip, and only from
// wheels, so that nothing of a package runs while it is installed.
package venv
