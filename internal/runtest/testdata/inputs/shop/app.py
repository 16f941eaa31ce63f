import hashlib
import sqlite3


def find(db, name):
    return db.execute("SELECT * FROM users WHERE name = '%s'" % name)


def digest(password):
    return hashlib.md5(password.encode()).hexdigest()
