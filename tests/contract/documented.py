"""Values against their types in the OpenAPI document, strictly: with nothing that the document does not name."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

from tests import clients

FORMATS = FormatChecker(["date", "uuid"])


@FORMATS.checks("date-time", raises=ValueError)
def is_utc(value: object) -> bool:
    return not isinstance(value, str) or (value.endswith("Z") and bool(datetime.fromisoformat(value)))


def document() -> dict[str, Any]:
    found: dict[str, Any] = clients.anonymous(Accept="application/vnd.oai.openapi+json").get("/api/schema").json()
    return found


def strict(schema: Any) -> Any:
    """The same, but objects have no fields beside those that are named."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inside = {name: strict(value) for name, value in schema.items()}
    return {"additionalProperties": False, **inside} if isinstance(schema.get("properties"), dict) else inside


class Components:
    """The types of a document, by their names."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.schemas: dict[str, Any] = document["components"]["schemas"]
        self._strict = strict(self.schemas)
        (frame,) = document["paths"]["/api/v1/events"]["get"]["responses"]["200"]["content"].values()
        self.names_of_frames: list[str] = frame["schema"]["properties"]["event"]["enum"]

    def faults(self, name: str, value: object) -> list[str]:
        """What is wrong with a value of this type."""
        schema = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": self._strict}}
        Draft202012Validator.check_schema(schema)
        errors = Draft202012Validator(schema, format_checker=FORMATS).iter_errors(value)
        return [f"{error.json_path}: {error.message}" for error in errors]

    def of_kind(self, kind: str) -> str:
        """The name of the type of events of this kind."""
        mapping: dict[str, str] = self.schemas["Event"]["discriminator"]["mapping"]
        return mapping[kind].rpartition("/")[2]
