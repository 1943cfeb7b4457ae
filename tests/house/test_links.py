"""Every relative link of the documentation leads somewhere."""

import re
from pathlib import Path

from tests.house.tracked import ROOT, texts

LINK = re.compile(r"!?\[[^\]]*\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)|(?:src|href)=\"([^\"]+)\"")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
ANCHOR = re.compile(r"<a (?:id|name)=\"([^\"]+)\"")


def slugs(text: str) -> set[str]:
    """Give the anchors of a page, as forges make them from its headings."""
    bare = FENCE.sub("", text)
    titles = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(bare)]
    numbered = {f"{title}-{n}" for title in set(titles) for n in range(1, titles.count(title))}
    return {*titles, *numbered, *ANCHOR.findall(bare)}


def broken(page: Path, text: str) -> list[str]:
    """Give the links of one page that lead nowhere."""
    found = []
    for groups in LINK.findall(re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))):
        link = groups[0] or groups[1]
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (
            anchor and target.suffix == ".md" and anchor not in slugs(target.read_text(encoding="utf-8"))
        ):
            found.append(f"{page.name}: {link}")
    return found


def test_no_page_has_a_broken_link() -> None:
    pages = texts(".md")
    assert pages
    assert [one for page, text in pages for one in broken(page, text)] == []


def test_a_broken_link_is_caught() -> None:
    page = ROOT / "CHANGELOG.md"
    assert (
        broken(page, "[a](LICENSE) [b](docs) [c](#changelog) [d](https://example.org/x)\n```\n[e](nowhere)\n```\n")
        == []
    )
    assert broken(page, "[a](NOWHERE.md) ![b](docs/nowhere.svg)") == [
        "CHANGELOG.md: NOWHERE.md",
        "CHANGELOG.md: docs/nowhere.svg",
    ]
    assert broken(page, "[c](#nowhere)") == ["CHANGELOG.md: #nowhere"]
    assert broken(page, "[c](CONTRIBUTING.md#nowhere)") == ["CHANGELOG.md: CONTRIBUTING.md#nowhere"]
