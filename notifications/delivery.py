"""Post notices to push services, a few at a time. Here is nothing but the network: the caller reads and writes rows."""

import http.client
import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import NamedTuple

from notifications import vapid
from notifications.endpoints import InvalidEndpoint, Session
from notifications.models import Notice, Subscription

log = logging.getLogger(__name__)

MAX_AT_ONCE = 6
TIMEOUT_SECONDS = 5.0  # for a delivery, from the look-up of the name to the end of the answer
RUN_SECONDS = 30.0  # deliveries that have not begun by then wait for their next attempt
SLOW_SECONDS = 2.0
GONE_STATUS = 410


class Parcel(NamedTuple):
    """Notices for one browser, displayed as one: the encrypted part, and the headers that the service reads."""

    notices: Sequence[Notice]
    subscription: Subscription
    payload: str
    ttl: int
    headers: dict[str, str]

    @property
    def notice(self) -> Notice:
        return self.notices[0]


class Outcome(NamedTuple):
    """The status that the service answered with, or None if it did not; whether it was asked, and took long."""

    status: int | None
    is_slow: bool = False
    is_tried: bool = True


def post_all(parcels: Sequence[Parcel]) -> Iterator[tuple[Parcel, Outcome]]:
    """Post in this order, `MAX_AT_ONCE` at a time; yield each parcel as soon as its outcome is known."""
    deadline = time.monotonic() + RUN_SECONDS
    to_post: SimpleQueue[Parcel] = SimpleQueue()
    posted: SimpleQueue[tuple[Parcel, Outcome]] = SimpleQueue()
    for parcel in parcels:
        to_post.put(parcel)

    def work() -> None:
        with suppress(Empty):
            while True:
                parcel = to_post.get_nowait()
                posted.put((parcel, _post(parcel, deadline)))

    for _ in range(min(MAX_AT_ONCE, len(parcels))):
        Thread(target=work, name="push", daemon=True).start()  # the end of the process does not wait for them
    for _ in parcels:
        yield posted.get()


def _post(parcel: Parcel, deadline: float) -> Outcome:
    began_at = time.monotonic()
    if began_at > deadline:
        return Outcome(None, is_tried=False)
    try:
        status = _push(parcel)
    except InvalidEndpoint as error:
        log.warning("A push subscription was dropped: %s", error)
        status = GONE_STATUS
    except (OSError, http.client.HTTPException) as error:
        log.warning("A push service did not answer: %s", type(error).__name__)
        status = None
    except Exception:  # no browser's keys or answer may keep the others from their notices
        log.exception("A notice could not be pushed")
        status = None
    return Outcome(status, is_slow=time.monotonic() - began_at > SLOW_SECONDS)


def _push(parcel: Parcel) -> int | None:
    # It loads 14 packages in half a second: import it only where something is sent.
    from pywebpush import WebPushException, webpush

    subscription = parcel.subscription
    try:
        response = webpush(
            {
                "endpoint": subscription.endpoint,
                "keys": {"p256dh": subscription.key, "auth": subscription.secret},
            },
            parcel.payload,
            vapid_private_key=vapid.get_private_key(),
            vapid_claims={"sub": vapid.get_contact()},
            ttl=parcel.ttl,
            headers=parcel.headers,
            timeout=TIMEOUT_SECONDS,
            requests_session=Session(),
        )
    except WebPushException as error:
        status: int | None = getattr(error.response, "status_code", None)
        log.warning("A push service answered %s", status)
        return status
    return response.status_code if not isinstance(response, str) else None
