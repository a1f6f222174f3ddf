"""Prometheus metrics of the site."""

import time
from collections.abc import Callable, Iterator

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from prometheus_client import REGISTRY, Counter, Histogram, Info
from prometheus_client.core import GaugeMetricFamily

from dominoes_site.upkeep import UpkeepCollector
from dominoes_site.version import VERSION
from games.models import Connection, Match

Info("boneyard_release", "The release that this process runs.").info({"version": VERSION})
RESPONSES = Counter("boneyard_answers", "Answers by view and status.", ["view", "status"])
RESPONSE_SECONDS = Histogram(
    "boneyard_answer_seconds",
    "Seconds a view took.",
    ["view"],
    buckets=(0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)


def count_responses(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Count responses by view name. Not by path, which contains codes and names of people."""

    def middleware(request: HttpRequest) -> HttpResponse:
        started_at = time.perf_counter()
        response = get_response(request)
        view = request.resolver_match.view_name if request.resolver_match else "unknown"
        RESPONSES.labels(view, response.status_code).inc()
        RESPONSE_SECONDS.labels(view).observe(time.perf_counter() - started_at)
        return response

    return middleware


class DatabaseCollector:
    """Gauges that are counted in the database when they are read."""

    def describe(self) -> list[GaugeMetricFamily]:
        return []  # no query at registration

    def collect(self) -> Iterator[GaugeMetricFamily]:
        matches = GaugeMetricFamily("boneyard_matches_playing", "Matches being played.")
        matches.add_metric([], Match.objects.filter(status=Match.Status.PLAYING).count())
        yield matches
        sockets = GaugeMetricFamily("boneyard_match_connections", "Open sockets on the pages of matches.")
        sockets.add_metric([], Connection.objects.open_at(timezone.now()).filter(elsewhere=False).count())
        yield sockets


REGISTRY.register(DatabaseCollector())
REGISTRY.register(UpkeepCollector())
