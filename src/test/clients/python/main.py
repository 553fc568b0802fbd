"""Makes a client of a description of an API, type-checks it and drive.py with it, and runs that.

    python3 main.py FILE BASE TARGET

Prints what drive.py prints. The generator is lib/openapi-generator-cli.jar; what its clients need is
in Debian's packages python3-pydantic, python3-urllib3, python3-dateutil and mypy.
"""

import compileall
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
GENERATED = os.path.join(HERE, "generated")

# Pydantic 2, which the generator "python" wants, is not in Debian 12.
GENERATOR = "python-pydantic-v1"


def run(*command: str) -> str:
    """Runs a program to its end; throws with what it said unless that is good."""
    ended = subprocess.run(command, cwd=HERE, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": GENERATED})
    if ended.returncode != 0:
        raise RuntimeError(" ".join(command) + "\n" + ended.stdout + ended.stderr)
    return ended.stdout


def generate(description: str) -> None:
    shutil.rmtree(GENERATED, ignore_errors=True)
    jar = os.path.join("lib", "openapi-generator-cli.jar")
    run(
        *("java", "-jar", jar, "generate", "-g", GENERATOR, "-i", description, "-o", GENERATED),
        *("-t", "templates", "--additional-properties=packageName=carillon_client"),
        *("--global-property", "apis,models,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"),
    )


def main(description: str, base: str, target: str) -> None:
    generate(description)
    if not compileall.compile_dir(os.path.join(GENERATED, "carillon_client"), quiet=1):
        raise RuntimeError("the client does not compile")
    run("/usr/bin/mypy", "--config-file", "mypy.ini", "-p", "carillon_client")
    run("/usr/bin/mypy", "--config-file", "mypy.ini", "--follow-imports", "silent", "drive.py")
    sys.stdout.write(run(sys.executable, "drive.py", base, target))


main(*sys.argv[1:])
