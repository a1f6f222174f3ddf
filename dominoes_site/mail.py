"""Send mail in a background thread: a slow or missing mail server does not delay requests."""

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend

log = logging.getLogger(__name__)

MAX_QUEUED_MESSAGES = 500

_free_slots = BoundedSemaphore(MAX_QUEUED_MESSAGES)
_sender = ThreadPoolExecutor(1, thread_name_prefix="mail")


class Backend(BaseEmailBackend):
    """An email backend that sends by `settings.MAIL_BACKEND` in a thread and logs failures."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        return sum(_enqueue(message) for message in email_messages)


def _enqueue(message: EmailMessage) -> bool:
    if not _free_slots.acquire(blocking=False):
        log.error(
            "Mail queue full (%d messages); a message to %d recipients was dropped",
            MAX_QUEUED_MESSAGES,
            len(message.to),
        )
        return False
    _sender.submit(_send, message)
    return True


def _send(message: EmailMessage) -> None:
    try:
        get_connection(settings.MAIL_BACKEND).send_messages([message])
    except Exception:
        log.exception("A mail could not be sent")
    finally:
        _free_slots.release()
