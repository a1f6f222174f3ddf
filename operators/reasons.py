"""The reasons and the appeal line that moderators choose, in the language of the person concerned."""

from typing import NamedTuple

from django.utils.translation import get_language, gettext, override

from operators.models import MAX_REASON_LENGTH, ReasonTemplate
from operators.site_settings import get_site
from operators.translated import Texts, choose_text

# Initial rows of a new site, by category of reports; operators change them in the admin.
SAMPLES: tuple[tuple[str, Texts], ...] = (
    (
        "stalling",
        {
            "en": "You let the clock run in lost positions. Play on, or resign.",
            "ru": "Вы тянете время в проигранных партиях. Ходите или сдавайтесь.",
            "es": "Dejas correr el reloj cuando vas perdiendo. Juega o ríndete.",
            "pt": "Você deixa o relógio correr quando está perdendo. Jogue ou desista.",
        },
    ),
    (
        "leaving",
        {
            "en": "You often leave matches before they end, and others wait for you.",
            "ru": "Вы часто бросаете партии, не доиграв, и другие вас ждут.",
            "es": "Abandonas partidas a menudo y los demás se quedan esperándote.",
            "pt": "Você abandona muitas partidas antes do fim, e os outros ficam esperando.",
        },
    ),
    (
        "talk",
        {
            "en": "You insulted others at the table. Play without insults.",
            "ru": "Вы оскорбляли других за столом. Играйте без оскорблений.",
            "es": "Insultaste a otros en la mesa. Juega sin insultos.",
            "pt": "Você insultou outras pessoas na mesa. Jogue sem insultos.",
        },
    ),
    (
        "name",
        {
            "en": "Your name offends others, so it was replaced.",
            "ru": "Ваше имя оскорбляет других, поэтому мы его заменили.",
            "es": "Tu nombre ofende a otros, así que lo hemos cambiado.",
            "pt": "Seu nome ofende outras pessoas, por isso foi trocado.",
        },
    ),
    (
        "collusion",
        {
            "en": "You played together with an opponent against the others.",
            "ru": "Вы играли заодно с соперником против остальных.",
            "es": "Jugaste de acuerdo con un rival contra los demás.",
            "pt": "Você jogou combinado com um adversário contra os outros.",
        },
    ),
    (
        "computer",
        {
            "en": "A computer chose your moves.",
            "ru": "Ходы за вас выбирала программа.",
            "es": "Un programa elegía tus jugadas.",
            "pt": "Um programa escolheu as suas jogadas.",
        },
    ),
    (
        "accounts",
        {
            "en": "You play with several accounts.",
            "ru": "Вы играете с нескольких учётных записей.",
            "es": "Juegas con varias cuentas.",
            "pt": "Você joga com várias contas.",
        },
    ),
    (
        "rating",
        {
            "en": "You lost or won matches on purpose, for ratings.",
            "ru": "Вы нарочно проигрывали или выигрывали партии ради рейтинга.",
            "es": "Perdiste o ganaste partidas a propósito por la puntuación.",
            "pt": "Você perdeu ou ganhou partidas de propósito, por causa do rating.",
        },
    ),
)


class Reason(NamedTuple):
    """A template as a moderator reads it; `key` is its primary key."""

    key: int
    text: str
    is_chosen: bool


def list_reasons(category: str = "") -> list[Reason]:
    """Return the templates in the active language; the first one for `category` is chosen."""
    templates = list(ReasonTemplate.objects.all())
    chosen = next((template for template in templates if category and template.category == category), None)
    return [Reason(each.pk, choose_text(each.text), each == chosen) for each in templates]


def find_reason(key: int | None, language: str) -> str:
    """Return the template's text in this language, or ""."""
    template = ReasonTemplate.objects.filter(pk=key or 0).first()
    return choose_text(template.text, language) if template else ""


def get_appeal(language: str = "") -> str:
    """Return how to appeal, in this language: the operator's line, else the contact, else ""."""
    site = get_site()
    text = choose_text(site.appeal, language)
    if text or not site.contact:
        return text
    with override(language or get_language()):
        return (gettext("Write to %(contact)s.") % {"contact": site.contact})[:MAX_REASON_LENGTH]
