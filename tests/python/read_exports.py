"""Reads the exports in a folder as people do in notebooks, and prints what is in them as JSON.

    python read_exports.py FOLDER HARBOR

FOLDER holds NAME.csv, NAME.parquet and a folder atif; HARBOR is where Harbor's package lies, whose own models
validate the trajectories. Only those models are imported: the package itself would bring 120 others.
"""

import json
import sys
import types
from pathlib import Path

import duckdb
import pandas
import pyarrow.parquet


def records(frame: pandas.DataFrame) -> list[dict]:
    return json.loads(frame.to_json(orient="records", double_precision=15))


def plain(value):
    return None if isinstance(value, float) and value != value else value


def duckdb_records(path: Path) -> list[dict]:
    result = duckdb.sql(f"select * from read_parquet('{path}')")
    return [dict(zip(result.columns, map(plain, row))) for row in result.fetchall()]


def harbor_models(place: Path):
    for name in ("harbor", "harbor.models"):
        package = types.ModuleType(name)
        package.__path__ = [str(place.joinpath(*name.split(".")))]
        sys.modules[name] = package
    from harbor.models.trajectories.trajectory import Trajectory

    return Trajectory


def validated(model, file: Path) -> dict:
    trajectory = model.model_validate_json(file.read_text(encoding="utf-8"))
    return {
        "id": trajectory.trajectory_id,
        "steps": len(trajectory.steps),
        "inside": [inner.trajectory_id for inner in trajectory.subagent_trajectories or []],
        "same": trajectory.to_json_dict() == json.loads(file.read_text(encoding="utf-8")),
    }


folder, harbor = map(Path, sys.argv[1:])
model = harbor_models(harbor)
print(
    json.dumps(
        {
            "csv": {
                file.stem: records(pandas.read_csv(file, keep_default_na=False, na_values=[""], dtype={"task_hash": str}))
                for file in folder.glob("*.csv")
            },
            "pandas": {file.stem: records(pandas.read_parquet(file)) for file in folder.glob("*.parquet")},
            "pyarrow": {
                file.stem: pyarrow.parquet.read_table(file).to_pylist() for file in folder.glob("*.parquet")
            },
            "duckdb": {file.stem: duckdb_records(file) for file in folder.glob("*.parquet")},
            "types": {
                file.stem: {field.name: str(field.type) for field in pyarrow.parquet.read_schema(file)}
                for file in folder.glob("*.parquet")
            },
            "atif": [validated(model, file) for file in sorted((folder / "atif").iterdir())],
        }
    )
)
