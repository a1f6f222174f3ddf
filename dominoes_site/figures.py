"""Count what happens on the site by hour, and show it to staff as plots."""

import csv
import io
from datetime import datetime
from typing import Any

from django.contrib.admin.sites import AdminSite
from django.db.models import Avg, Count, DurationField, ExpressionWrapper, F, OuterRef, Q, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from prometheus_client import REGISTRY

from accounts.models import User
from core.http import CSV_BOM, CSV_TYPE
from core.numbers import parse_whole_number
from dominoes_site.metrics import RESPONSES
from games.models import Match, Report
from lobbies.models import Table
from operators import figures
from operators.charts import draw_bars, format_step, format_value
from operators.figures import HOUR

NAMES = {
    "matches": gettext_lazy("Matches that ended"),
    "rated": gettext_lazy("Rated matches"),
    "players": gettext_lazy("New players"),
    "guests": gettext_lazy("New guests"),
    "waiting": gettext_lazy("Waiting for a quick match, seconds"),
    "reports": gettext_lazy("Reports"),
    "pushes": gettext_lazy("Frames sent to pages"),
    "errors": gettext_lazy("Answers that failed"),
}
PERIODS = {1: gettext_lazy("24 hours"), 7: gettext_lazy("7 days"), 90: gettext_lazy("90 days")}
SERVER_ERROR_STATUS = 500
HOURS_BETWEEN_TICKS, TICKS = 6, 7  # below the plots of a day; of longer periods

_counted = {"pushes": 0.0, "errors": 0.0}  # by this process so far


def record(now: datetime) -> None:
    """Store the figures of this hour and the one before, and add what this process counted since the last call."""
    hour = figures.get_hour(now)
    for start in (hour - HOUR, hour):
        for name, value in _count_rows(start).items():
            figures.store(name, start, value)
    for name, total in (("pushes", _count_pushes()), ("errors", _count_errors())):
        figures.add(name, hour, total - _counted[name])
        _counted[name] = total
    figures.delete_old(now)


def _count_rows(start: datetime) -> dict[str, float]:
    end = start + HOUR
    ended = Match.objects.filter(ended_at__gte=start, ended_at__lt=end)
    joined = User.objects.filter(date_joined__gte=start, date_joined__lt=end).aggregate(
        players=Count("pk", filter=Q(is_guest=False)), guests=Count("pk", filter=Q(is_guest=True))
    )
    # A table has its match's code.
    made = Table.objects.filter(code=OuterRef("code"), quick=True).values("created_at")[:1]
    begun = Match.objects.filter(started_at__gte=start, started_at__lt=end).annotate(made=Subquery(made))
    wait = ExpressionWrapper(F("started_at") - F("made"), output_field=DurationField())
    mean = begun.exclude(made=None).aggregate(mean=Avg(wait))["mean"]
    return joined | {
        "matches": ended.count(),
        "rated": ended.filter(rating_order__isnull=False).count(),
        "reports": Report.objects.filter(at__gte=start, at__lt=end).count(),
        "waiting": round(mean.total_seconds(), 1) if mean else 0.0,
    }


def _count_pushes() -> float:
    return REGISTRY.get_sample_value("boneyard_pushes_total") or 0.0


def _count_errors() -> float:
    samples = (sample for metric in RESPONSES.collect() for sample in metric.samples)
    return sum(
        sample.value
        for sample in samples
        if sample.name.endswith("_total") and int(sample.labels["status"]) >= SERVER_ERROR_STATUS
    )


def show(request: HttpRequest, site: AdminSite) -> HttpResponse:
    """Show the plots of the period `?days=`, or with `?format=csv` send the figures."""
    days = parse_whole_number(request.GET.get("days", "")) or 1
    days = days if days in PERIODS else 1
    bars = {name: figures.load_bars(name, days, timezone.now()) for name in NAMES}
    if request.GET.get("format") == "csv":
        return _send_csv(bars)
    steps = [format_step(bar.at, days) for bar in bars["matches"]]
    plots: list[dict[str, Any]] = []
    for name, label in NAMES.items():
        values = [bar.value for bar in bars[name]]
        is_mean = name in figures.MEAN_NAMES
        plots.append(
            {
                "label": label,
                "svg": draw_bars(bars[name], str(label), steps),
                "total": round(sum(values) / max(1, sum(map(bool, values))) if is_mean else sum(values)),
                "highest": round(max(values, default=0)),
            }
        )
    context = site.each_context(request) | {
        "title": _("Figures"),
        "plots": plots,
        "ticks": steps[:: len(steps) // TICKS] if days > 1 else steps[::HOURS_BETWEEN_TICKS],
        "rows": list(
            zip(steps, *([format_value(bar.value) for bar in bars[name]] for name in NAMES), strict=True)
        ),
        "names": NAMES.values(),
        "days": days,
        "periods": PERIODS.items(),
    }
    return render(request, "admin/figures.html", context)


def _send_csv(bars: dict[str, list[figures.Bar]]) -> HttpResponse:
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(["from", *bars])
    for row in zip(*bars.values(), strict=True):
        writer.writerow([row[0].at.isoformat(), *(bar.value for bar in row)])
    headers = {"Content-Disposition": 'attachment; filename="figures.csv"'}
    return HttpResponse(CSV_BOM + file.getvalue(), content_type=CSV_TYPE, headers=headers)
