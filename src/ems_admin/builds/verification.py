"""Hold what an archive or a folder contains against what its manifest and its catalogue say.

A file, a tree or an identity that is not the one named is `system_build_mismatch`; every other broken rule is
`system_build_resources_invalid`. Source: `site.md` 6.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from ems_admin.builds.contents import RESOURCE_LIMIT, Contents, check_path
from ems_admin.builds.refused import BuildRefusedError, invalid, mismatch
from ems_admin.builds.rules import manifest_faults, stack_faults
from ems_admin.codec import DecodeError, TextError, decode, parse
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import CatalogueEntry, Manifest, Stack
from ems_admin.machines.values.tags import tag_fault
from ems_admin.machines.values.trees import TreeFile, tree_digest
from ems_admin.workflows.ports.builds import Resources

T = TypeVar("T")

MANIFEST = "system-build.json"
EXAMPLE = "draft-example.json"


def verified(contents: Contents) -> Resources:
    """Give a build whose every file was read and is the one that its manifest names."""
    document = contents.documents.get(MANIFEST)
    if document is None:
        raise invalid(f"{MANIFEST} is missing")
    manifest = read_manifest(document)
    check_files(manifest, contents.files)
    check_programs(manifest, contents.files)
    return resources(manifest, contents.documents)


def read_manifest(document: bytes) -> Manifest:
    """Decode `system-build.json` and hold it against the rules of its fields."""
    manifest = read_document(document, Manifest, MANIFEST)
    fault = next(manifest_faults(manifest), None)
    if fault is not None:
        raise invalid(f"{MANIFEST}: {fault}")
    for path in (*manifest.files, *(program.directory for program in manifest.programs.values())):
        check_path(path)
    return manifest


def read_document(document: bytes, kind: type[T], name: str) -> T:
    """Decode one JSON file of a build; the fault of the codec becomes ours, with the name of the file."""
    try:
        return decode(document, kind, limit=RESOURCE_LIMIT)
    except DecodeError as error:
        raise invalid(f"{name}: {error.fault}" + (f", {error.detail}" if error.detail else "")) from error


def check_files(manifest: Manifest, files: Mapping[str, TreeFile]) -> None:
    """Hold the files that are there against those that are named: all of them, no other, the same bytes."""
    there = files.keys() - {MANIFEST}
    for path in sorted(manifest.files.keys() - there):
        raise invalid(f"{path} is missing")
    for path in sorted(there - manifest.files.keys()):
        raise invalid(f"{path} is not named in {MANIFEST}")
    for path in sorted(there):
        if files[path].sha256 != manifest.files[path]:
            raise mismatch(path)


def check_programs(manifest: Manifest, files: Mapping[str, TreeFile]) -> None:
    """Hold each program tree against its digest."""
    for name, program in sorted(manifest.programs.items()):
        if tree_digest(tree(files, program.directory)) != program.sha256:
            raise mismatch(f"programs.{name}")


def tree(files: Mapping[str, TreeFile], directory: str) -> tuple[TreeFile, ...]:
    """Give the files below `directory`, named from there."""
    start = f"{directory}/"
    found = (file for path, file in files.items() if path.startswith(start))
    return tuple(
        TreeFile(path=file.path.removeprefix(start), sha256=file.sha256, executable=file.executable) for file in found
    )


def resources(manifest: Manifest, documents: Mapping[str, bytes]) -> Resources:
    """Decode what the Admin reads of a build: stack, template, schema and example."""
    stack = read_document(document_of(documents, manifest.stack), Stack, manifest.stack)
    fault = next(stack_faults(stack, manifest), None)
    if fault is not None:
        raise invalid(f"{manifest.stack}: {fault}")
    return Resources(
        manifest=manifest,
        stack=stack,
        template=read_object(document_of(documents, manifest.config_template), manifest.config_template),
        schema=read_schema(document_of(documents, manifest.config_schema), manifest.config_schema),
        example=read_object(document_of(documents, EXAMPLE), EXAMPLE) if EXAMPLE in manifest.files else None,
    )


def document_of(documents: Mapping[str, bytes], name: str) -> bytes:
    """Give a JSON file that is small enough to be read."""
    if name not in documents:
        raise invalid(f"{name} is larger than {RESOURCE_LIMIT // 1024} KiB")
    return documents[name]


def read_object(document: bytes, name: str) -> Mapping[str, Any]:
    """Decode a JSON object of any content."""
    try:
        found = parse(document, limit=RESOURCE_LIMIT)
    except TextError as error:
        raise invalid(f"{name}: {error}") from error
    if not isinstance(found, dict):
        raise invalid(f"{name} is no object")
    return found


@lru_cache(maxsize=8)  # a schema is read with every preview, and checking one takes longer than all the rest
def read_schema(document: bytes, name: str) -> Mapping[str, Any]:
    """Decode a JSON Schema that stands alone."""
    schema = read_object(document, name)
    try:
        Draft202012Validator.check_schema(dict(schema))
    except SchemaError as error:
        raise invalid(f"{name} is no JSON Schema: {error.json_path}") from error
    for reference in references(schema):
        raise invalid(f"{name} refers to {reference!r}, which is no part of it")
    return schema


def references(schema: Any) -> Iterator[str]:
    """Give the references of a schema that lead out of it: validating must never make the Admin fetch anything."""
    if isinstance(schema, Mapping):
        for key, value in schema.items():
            if key in {"$ref", "$dynamicRef"} and isinstance(value, str) and not value.startswith("#"):
                yield value
            yield from references(value)
    elif isinstance(schema, list):
        for part in schema:
            yield from references(part)


def check_identity(manifest: Manifest, entry: CatalogueEntry) -> None:
    """Hold a manifest against what its catalogue says of it."""
    for name, found, offered in (
        ("system_tag", manifest.system_tag, entry.tag),
        ("channel", manifest.channel, entry.channel),
        ("revision", manifest.revision, entry.revision),
        ("build_id", manifest.build_id, entry.build_id),
        ("built_at", manifest.built_at, entry.built_at),
    ):
        if found != offered:
            raise mismatch(name)


def check_tag(tag: str) -> None:
    """Refuse what cannot name a build."""
    fault = tag_fault(tag)
    if fault is not None:
        raise BuildRefusedError(fault)


def check_requires(manifest: Manifest, running: str | None) -> None:
    """Refuse programs that were built against other third-party packages than the interpreter that runs here has."""
    if manifest.programs and running is not None and manifest.requires != running:
        raise BuildRefusedError(Code.SYSTEM_BUILD_MISMATCH, "requires")
