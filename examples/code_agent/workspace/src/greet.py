"""Says hello."""

from pathlib import Path


def greet(name: str) -> str:
    words = Path(__file__).with_name("greeting.txt").read_text().strip()
    return f"{words}, {name}"
