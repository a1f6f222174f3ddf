"""The page that checks files of records."""


def choose_file(page, text: str, name: str = "records.jsonl") -> None:
    page.get_by_label("Record file").set_input_files(
        {"name": name, "mimeType": "application/json", "buffer": text.encode()}
    )


def verdict(page):
    return page.locator("#verify-file [role=status]")
