"""Mixins that take rights from model admins and inlines, whatever the reader's permissions are."""

from typing import Any

from django.http import HttpRequest


class WithoutAdd:
    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class WithoutChange:
    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class WithoutDelete:
    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnly(WithoutAdd, WithoutChange, WithoutDelete):
    """Rows to look at."""
