"""The form of a new night: five questions, the rest folded."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts.models import User
from boneyard.engine.errors import InvalidRules
from boneyard.engine.option_kinds import Option
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import OPTION, Rules
from core.languages import get_base_language
from games.time.day_clocks import get_days
from games.wording import choice_name, invalid_rules_sentence, option_name, preset_title
from lobbies.clocks import Clock, is_of_days
from lobbies.fields import ClockField, clock_choices
from lobbies.form_data import FIRST_CLOCK, field_of
from lobbies.offers import QUICK
from nights.club_models import Club, Membership
from nights.models import MAX_HANDS, MAX_ROUNDS, Night
from nights.occurrences import DURATION
from nights.open_models import MAX_NIGHT_NAME_LENGTH
from nights.refusals import NightRefused
from nights.services import NightPlan
from nights.sheet_kinds import PLAIN
from nights.start_form import StartForm
from nights.wording import DRAW_NAMES, FORMAT_NAMES

MAX_TARGET = 10_000
MAX_MINUTES = 240
# What clubs play differently: of the rules on phones, those that the form shows, folded.
HOUSE_OPTIONS = ("draw", "pass", "spinner", "claims", "next_lead", "out_bonus", "blocked_bonus")


def _choose_games() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the games of the site by their titles, then those that are counted at real tables alone."""
    dealt = sorted(((name, preset_title(name)) for name in PRESETS), key=lambda choice: choice[1])
    plain = [(name, str(kind.title)) for name, kind in PLAIN.items()]
    return [(_("Games of this site"), dealt), (_("At real tables only"), plain)]


def find_audience(club: Club | None) -> str:
    """Return who sees a night of this club, unless its host says otherwise."""
    if club is None:
        return Night.Audience.UNLISTED
    return Night.Audience.PUBLIC if club.is_found else Night.Audience.CLUB


def suggest_preset() -> str:
    """Return the first game for four of the page's language."""
    games = QUICK.get(get_base_language(), QUICK["en"])
    return next((game.preset for game in games if game.seats == 4), "block")


def _build_house_field(option: Option) -> forms.ChoiceField:
    """Return a choice among the values of an option of the rules; empty, the game's own value."""
    values = [(str(value), choice_name(option.name, value)) for value in option.choices]
    return forms.ChoiceField(
        label=option_name(option.name), choices=[("", _("as written")), *values], required=False
    )


class NightForm(StartForm):
    """What the host says of a night; the fields are those of `NightPlan`, with its start in local time."""

    field_order = ("name",)

    name = forms.CharField(label=gettext_lazy("Name"), max_length=MAX_NIGHT_NAME_LENGTH)
    preset = forms.ChoiceField(label=gettext_lazy("Game"), choices=_choose_games)
    format = forms.ChoiceField(label=gettext_lazy("Who sits with whom"), choices=list(FORMAT_NAMES.items()))
    rounds = forms.IntegerField(
        label=pgettext_lazy("a night", "Rounds"),
        min_value=1,
        max_value=MAX_ROUNDS,
        initial=5,
        required=False,
    )
    hands = forms.IntegerField(
        label=gettext_lazy("Hands a round"), min_value=1, max_value=MAX_HANDS, initial=4, required=False
    )
    where = forms.ChoiceField(
        label=gettext_lazy("Where"),
        choices=Night.Place.choices,
        initial=Night.Place.WOOD,
        widget=forms.RadioSelect,
        required=False,
    )
    clock = ClockField()
    rated = forms.BooleanField(label=gettext_lazy("rated: to points, with a clock"), required=False)
    target = forms.IntegerField(
        label=gettext_lazy("or points that end a round"), min_value=1, max_value=MAX_TARGET, required=False
    )
    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes a round, at most"), min_value=1, max_value=MAX_MINUTES, required=False
    )
    last = forms.ChoiceField(
        label=gettext_lazy("At the bell"),
        choices=Night.Ending.choices,
        initial=Night.Ending.ONE_MORE,
        required=False,
    )
    out = forms.ChoiceField(
        label=gettext_lazy("A round out counts as"),
        choices=Night.OutCounts.choices,
        initial=Night.OutCounts.HALF,
        required=False,
    )
    draw = forms.ChoiceField(label=gettext_lazy("The draw"), choices=list(DRAW_NAMES.items()), required=False)
    audience = forms.ChoiceField(
        label=gettext_lazy("Who may see it"),
        choices=Night.Audience.choices,
        initial=Night.Audience.UNLISTED,
        required=False,
    )
    difference_first = forms.BooleanField(
        label=gettext_lazy("differences count before rounds won"), required=False
    )
    club = forms.ModelChoiceField(
        label=pgettext_lazy("of people", "Club"),
        queryset=Club.objects.none(),
        to_field_name="slug",
        required=False,
        empty_label=gettext_lazy("no club"),
    )
    add_oneself = forms.BooleanField(label=gettext_lazy("people may add themselves"), required=False)

    def __init__(self, data: Any = None, *, user: User | None = None, club: str = "") -> None:
        """Offer the clubs whose nights `user` directs; `club` is the address of the one to begin with."""
        super().__init__(
            data, initial={"preset": suggest_preset(), "add_oneself": True, "clock": FIRST_CLOCK}
        )
        self.label_suffix = ""
        self._offer_clubs(user, club)
        self.fields["clock"].label = _("Clock")
        self.fields["clock"].widget.choices = [
            choice for choice in clock_choices(FIRST_CLOCK, called=True) if not is_of_days(choice[0])
        ]
        for option in HOUSE_OPTIONS:
            self.fields[field_of(OPTION[option])] = _build_house_field(OPTION[option])

    def _offer_clubs(self, user: User | None, club: str) -> None:
        clubs = Club.objects.filter(memberships__user=user, memberships__role__in=Membership.RUNNING)
        self.fields["club"].queryset = clubs if user else Club.objects.none()  # type: ignore[attr-defined]
        if not self.has_clubs:
            choices = [choice for choice in Night.Audience.choices if choice[0] != Night.Audience.CLUB]
            self.fields["audience"].choices = choices  # type: ignore[attr-defined]
        chosen = clubs.filter(slug=club).first() if user and club else None
        if chosen is not None:
            self.initial.update(club=chosen.slug, audience=find_audience(chosen))

    @property
    def has_clubs(self) -> bool:
        clubs: QuerySet[Club] = self.fields["club"].queryset  # type: ignore[attr-defined]
        return clubs.exists()

    @property
    def house_fields(self) -> list[forms.BoundField]:
        return [self[field_of(OPTION[option])] for option in HOUSE_OPTIONS]

    def clean_clock(self) -> Clock:
        clock: Clock = self.cleaned_data["clock"]
        if clock is not None and get_days(clock[0]) is not None:
            raise forms.ValidationError(_("A night is played in one evening: choose a clock of minutes."))
        return clock

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if self.errors:
            return data
        is_open = data["format"] == "open"
        if data["rounds"] is None and not is_open:
            self.add_error("rounds", NightRefused("rounds").sentence)
        if data["preset"] in PLAIN:
            if is_open or data["where"] == Night.Place.PHONES:
                self.add_error("preset", NightRefused("wood_only").sentence)
        elif data["where"] == Night.Place.PHONES and not is_open:
            self._clean_rules(data)
        if data["format"] not in ("pairs", "singles"):
            data["draw"] = "rotate"
        if data["starts_at"] < timezone.now() - (DURATION if is_open else Night.PREPARATION):
            self.add_error("start", NightRefused("past").sentence)
        if data["audience"] == Night.Audience.CLUB and data["club"] is None:
            self.add_error("audience", NightRefused("needs_club").sentence)
        return data

    def _clean_rules(self, data: dict[str, Any]) -> None:
        """Keep the house rules, if there are any, as `Night.rules` has them."""
        own = PRESETS[data["preset"]].rules
        changes = {name: data[field_of(OPTION[name])] for name in HOUSE_OPTIONS}
        changes = {name: value for name, value in changes.items() if value}
        try:
            rules = Rules.from_dict(own.as_dict() | changes)
        except InvalidRules as fault:
            self.add_error(None, invalid_rules_sentence(fault))
            return
        data["rules"] = None if rules == own else rules.written()

    @property
    def plan(self) -> NightPlan:
        data = self.cleaned_data
        if data["format"] == "open":
            return self._open_plan
        on_phones = data["where"] == Night.Place.PHONES
        clock = data["clock"] if on_phones else None
        return NightPlan(
            name=data["name"],
            format=data["format"],
            place=data["where"] or Night.Place.WOOD,
            preset=data["preset"],
            starts_at=data["starts_at"],
            zone=data["zone"],
            rounds=data["rounds"],
            hands=None if data["target"] else data["hands"] or 4,
            target=data["target"],
            minutes=None if on_phones else data["minutes"],
            rated=on_phones and data["rated"],
            clock_seconds=clock[0] if clock else None,
            clock_increment=clock[1] if clock else None,
            rules=data.get("rules"),
            draw=data["draw"] or "rotate",
            last=data["last"] or Night.Ending.ONE_MORE,
            out_counts=data["out"] or Night.OutCounts.HALF,
            difference_first=data["difference_first"],
            weekly=data["weekly"],
            audience=data["audience"] or find_audience(data["club"]),
            club=data["club"],
        )

    @property
    def _open_plan(self) -> NightPlan:
        """Return the plan of an open night, which the lobby shows to readers of the page's language, or the club's."""
        data = self.cleaned_data
        return NightPlan(
            name=data["name"],
            format="open",
            place=Night.Place.PHONES,
            preset=data["preset"],
            starts_at=data["starts_at"],
            zone=data["zone"],
            weekly=data["weekly"],
            audience=data["audience"] or find_audience(data["club"]),
            club=data["club"],
            language=data["club"].language if data["club"] else get_base_language(),
        )
