"""Prints JSON schemas of what a server of Open Responses says, made from the models of openresponses-types."""

import inspect
import json
from importlib.metadata import version

from openresponses_types import types
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

RESPONSE = "ResponseResource"
PREFIX = "#/$defs/"


def is_model(value):
    return inspect.isclass(value) and issubclass(value, BaseModel) and value.__module__ == types.__name__


def without_words(schema, are_members=False):
    """The schema without titles and descriptions, which say nothing about what is valid."""
    if isinstance(schema, list):
        return [without_words(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: without_words(value, name == "properties" and not are_members)
        for name, value in schema.items()
        if are_members or name not in ("title", "description")
    }


def references(schema):
    if isinstance(schema, list):
        return [name for each in schema for name in references(each)]
    if not isinstance(schema, dict):
        return []
    own = [schema["$ref"].removeprefix(PREFIX)] if isinstance(schema.get("$ref"), str) else []
    return own + [name for value in schema.values() for name in references(value)]


def reachable(defs, names):
    found = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo.extend(references(defs[name]))
    return {name: defs[name] for name in sorted(found)}


def type_of(defs, name):
    """The type of an event, out of the only value that its member `type` may have."""
    schema = defs[name]["properties"]["type"]
    schema = defs[schema["$ref"].removeprefix(PREFIX)] if "$ref" in schema else schema
    return schema["const"] if "const" in schema else schema["enum"][0]


def lines_of(members):
    return ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in members.items())


models = [model for _, model in inspect.getmembers(types, is_model)]
_, whole = models_json_schema([(model, "validation") for model in models])
defs = without_words(whole)["$defs"]
events = {type_of(defs, name): name for name in defs if name.endswith("StreamingEvent")}
used = reachable(defs, [RESPONSE, *events.values()])
comment = (
    f"JSON schemas made from the models of openresponses-types {version('openresponses-types')} (Apache-2.0) "
    "by tools/open-responses: definitions, and the schema of each event by its type."
)
refs = {event: {"$ref": PREFIX + name} for event, name in sorted(events.items())}
print(f'{{"$comment": {json.dumps(comment)},\n"events": {{\n{lines_of(refs)}\n}},\n"$defs": {{\n{lines_of(used)}\n}}}}')
