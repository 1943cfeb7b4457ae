"""What lies in a folder, to be held against itself."""

from pathlib import Path


def files_below(root: Path) -> dict[str, tuple[int, int, bytes]]:
    """Give inode, time and bytes of every file, by its place."""
    return {
        str(path.relative_to(root)): (path.lstat().st_ino, path.lstat().st_mtime_ns, path.read_bytes())
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }
