"""The codes that are printed: those of tables, and squares for the cameras of phones."""

import hmac

from django.core.signing import Signer
from django.utils.html import format_html
from django.utils.safestring import SafeString

from nights.models import Night

TABLE_CODE_LENGTH = 12
QUIET_ZONE = 4  # squares around a code, as its standard asks


def table_code(night: Night, number: int) -> str:
    """Return the code that lets whoever reads it on the table's sheet enter results of this table, in every round."""
    signature = Signer(salt="nights.table").signature(f"{night.code}:{number}")
    return "".join(filter(str.isalnum, signature))[:TABLE_CODE_LENGTH]


def is_table_code(night: Night, number: int, code: str) -> bool:
    return hmac.compare_digest(table_code(night, number).encode(), code.encode())


def draw_code(address: str, name: str) -> SafeString:
    """Return an address as a QR code in SVG, black on white in every theme, with a name for those who hear the page."""
    import qrcode  # only what is printed needs it
    from qrcode.constants import ERROR_CORRECT_M

    code = qrcode.QRCode(error_correction=ERROR_CORRECT_M, border=0)
    code.add_data(address)
    code.make()
    rows = code.get_matrix()
    size = len(rows) + 2 * QUIET_ZONE
    squares = "".join(
        f"M{x + QUIET_ZONE} {y + QUIET_ZONE}h1v1h-1z"
        for y, row in enumerate(rows)
        for x, is_dark in enumerate(row)
        if is_dark
    )
    return format_html(
        '<svg class="camera-code" viewBox="0 0 {0} {0}" role="img" aria-label="{1}" shape-rendering="crispEdges">'
        '<path fill="#fff" d="M0 0h{0}v{0}h-{0}z"/><path d="{2}"/></svg>',
        size,
        name,
        squares,
    )
