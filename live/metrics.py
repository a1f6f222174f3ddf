"""Prometheus metrics of the sockets."""

from prometheus_client import Counter, Gauge

SOCKETS = Gauge("boneyard_sockets", "Open sockets of this process.")
PUSHES = Counter("boneyard_pushes", "Frames sent to pages.")
