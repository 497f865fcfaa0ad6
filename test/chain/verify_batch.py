"""Runs scripts/verify_ledger.py once for each list of arguments: a process for each would take minutes.

Standard input: a JSON array of argument lists. Standard output: a JSON array of {"exit", "output"}.
"""

import io
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))

import verify_ledger  # noqa: E402 (the path above is where it lies)


def run(arguments):
    output = io.StringIO()
    code = verify_ledger.main(arguments, output, io.StringIO())
    return {"exit": code, "output": output.getvalue()}


json.dump([run(arguments) for arguments in json.load(sys.stdin)], sys.stdout)
