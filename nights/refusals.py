"""The refusals of this app."""

from django.utils.translation import gettext as _

from core.http import Refusal


class NightRefused(Refusal):
    """A refused act or result of a night; `about` is the part of what was sent that is at fault.

    Of `unrated_target` it is the sentence that says which targets are rated.
    """

    def __init__(self, reason: str, status: int = 422, *, about: str = "") -> None:
        super().__init__(reason, status)
        self.about = about

    @property
    def sentence(self) -> str:
        """Return why, after the part that is at fault."""
        sentence = self._sentence
        if self.reason == "unrated_target":
            return f"{sentence} {self.about}"
        return f"{self.about}: {sentence}" if self.about else sentence

    @property
    def _sentence(self) -> str:
        return {
            "stale": _("Somebody else has changed the night meanwhile. Look at it, and press again."),
            "drawn": _("This round is drawn already."),
            "not_yours": _("Only the host and the directors of a night do that."),
            "over": _("This night is over."),
            "no_such_person": _("Nobody of this night has that number."),
            "no_such_table": _("This round has no such table."),
            "no_names": _("Write at least one name."),
            "name_too_long": _("A name has at most 30 characters."),
            "too_many": _("A night has at most 500 people."),
            "many_asked": _("Sixty people have asked already: whoever runs the night must say who is here."),
            "bot": _("Nights and clubs are for people: bots take no part in them."),
            "is_in": _("You are on the list already."),
            "too_few": _("Too few people are here for one table."),
            "round_open": _("The round before is not complete: draw anyway, or wait for its results."),
            "all_drawn": _("All rounds have been drawn."),
            "no_round": _("No round has been drawn."),
            "has_results": _("A result of this round is confirmed: its draw stays."),
            "no_swap": _("Two people change places who sit at different tables, both without a result."),
            "many_hands": _("A round of this night has fewer hands."),
            "bad_points": _("Write the points of each side, such as 120 and 85."),
            "closed": _("This round is closed. Your result is kept for the directors."),
            "no_result": _("Nothing has been entered at this table."),
            "not_opponent": _("The other side confirms the result, on its own phone."),
            "same_device": _("This phone entered the result: the other side confirms it on its own."),
            "incomplete": _("The form is not complete."),
            "no_such_code": _("This address belongs to no table or person of this night."),
            "not_open": _("People cannot add themselves yet: ask whoever runs the night."),
            "too_many_nights": _("You run twenty nights already. End one first."),
            "claimed": _("Somebody else has said that this is them. Whoever runs the night can undo it."),
            "too_late": _("The night was too long ago: its names can be claimed for 30 days."),
            "no_account": _("Nobody here has that name."),
            "on_phones": _("On phones the match gives the result."),
            "pairs_on_phones": _("Pairs that stay together play at real tables only: choose another draw."),
            "not_so": _("This game is not played so: choose another game, or another way of sitting."),
            "not_rated": _(
                "A rated night plays a game as it is written, with a clock, to points with which it is rated."
            ),
            "unrated_target": _("To these points the matches of a night are not rated."),
            "wood_only": _("The site does not deal this game: choose real tables, or another game."),
            "begun": _("A match has begun there."),
            "hand_seen": _("Somebody has seen a hand: the draw stays."),
            "is_there": _("This person is there, or a computer plays for them already."),
            "too_early": _("Wait: three minutes after the draw somebody else may take the seat."),
            "no_helper": _("A helper is here and sits at no table."),
            "not_absent": _("On phones a computer takes the place of who is absent."),
            "rounds": _("A night has 1 to 30 rounds."),
            "hands": _("A round has 1 to 13 hands."),
            "not_your_club": _("Only those who run the club do that."),
            "club_guest": _("A club needs an account: sign up, and come back."),
            "club_muted": _("You cannot write here for now."),
            "too_many_clubs": _("You own five clubs already."),
            "not_invited": _("This club takes people by invitation: ask for its link."),
            "club_full": _("A club has at most 500 members."),
            "no_member": _("No member of the club has that name."),
            "last_owner": _("A club has an owner: name another one first, or close the club."),
            "bad_season": _("Write a name and two days, the earlier one first."),
            "name_taken": _("Somebody else on the list has that name."),
            "no_merge": _("These two have sat in one night, or have two accounts: they stay two."),
            "no_club": _("This night belongs to no club."),
            "no_last_night": _("The club has had no night yet: make the first one."),
            "night_waits": _("The last night is not over yet."),
            "nothing_drawn": _("At this night nothing is drawn: people meet by quick play."),
            "no_date": _("Choose a date to come of a weekly night."),
            "bad_start": _("When: write it like 2026-11-27 20:30, with a time zone like Europe/Madrid."),
            "past": _("When: this is in the past."),
            "needs_club": _("Who may see it: choose the club, too."),
        }[self.reason]
