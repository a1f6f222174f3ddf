"""Transferred bytes by Chromium's count, and load times on a slow connection."""

from playwright.sync_api import CDPSession, Page

# Chromium's slow 4G: a round trip in ms, bytes a second.
SLOW_4G = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
TIMES = """() => {
    const [page] = performance.getEntriesByType("navigation");
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    return [paint.startTime, page.domContentLoadedEventEnd];
}"""


def measure_transfer(page: Page, path: str) -> dict[str, int]:
    """Return the transferred bytes, headers included, of each URL on a first visit of `path`."""
    line = _without_cache(page)
    asked: dict[str, str] = {}
    came: dict[str, int] = {}
    line.on(
        "Network.requestWillBeSent", lambda said: asked.update({said["requestId"]: said["request"]["url"]})
    )
    line.on(
        "Network.loadingFinished",
        # Requests of the previous page may still finish.
        lambda said: (
            came.update({asked[said["requestId"]]: said["encodedDataLength"]})
            if said["requestId"] in asked
            else None
        ),
    )
    page.goto(path)
    page.wait_for_load_state("networkidle")
    line.detach()
    return came


def measure_slow_4g(page: Page, path: str) -> tuple[float, float]:
    """Return milliseconds to first contentful paint and to DOMContentLoaded on a first visit of `path`."""
    line = _without_cache(page)
    line.send("Network.emulateNetworkConditions", SLOW_4G)
    page.goto(path)
    painted, ready = page.evaluate(TIMES)
    line.detach()
    return painted, ready


def _without_cache(page: Page) -> CDPSession:
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.setCacheDisabled", {"cacheDisabled": True})
    return line
