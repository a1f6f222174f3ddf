"""Mail is sent apart from requests: a mail server that is slow or gone holds up nobody's log-in."""

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend

log = logging.getLogger(__name__)

WAITING = 500  # letters at most

_room = BoundedSemaphore(WAITING)
_sender = ThreadPoolExecutor(1, thread_name_prefix="mail")


class Backend(BaseEmailBackend):
    """Hands letters to a thread that sends them by `settings.MAIL_BACKEND`. What goes wrong there is logged."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        return sum(_take(letter) for letter in email_messages)


def _take(letter: EmailMessage) -> bool:
    if not _room.acquire(blocking=False):
        log.error("%d letters wait already: the one to %d people is dropped", WAITING, len(letter.to))
        return False
    _sender.submit(_send, letter)
    return True


def _send(letter: EmailMessage) -> None:
    try:
        get_connection(settings.MAIL_BACKEND).send_messages([letter])
    except Exception:
        log.exception("A letter could not be sent")
    finally:
        _room.release()
