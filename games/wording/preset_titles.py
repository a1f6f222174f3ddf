"""The titles of the presets in other languages than English, by preset id, and those of the games of this site."""

from collections.abc import Callable

from boneyard.engine.rules import Rules

TITLES: dict[str, dict[str, str]] = {
    "ru": {
        "all-fives": "Пятёрки (All Fives)",
        "draw": "С базаром",
        "block": "Без добора",
        "muggins-200": "Маггинс",
        "muggins-200-pairs": "Маггинс, двое на двое",
        "fives-and-threes-league": "Пятёрки и тройки, лига (61)",
        "fives-and-threes-pairs": "Пятёрки и тройки, 31, двое на двое",
        "gomuggins": "Телефон, 365",
        "muggins-exact-61": "Маггинс, ровно 61",
        "muggins-exact-61-pairs": "Маггинс, ровно 61, двое на двое",
        "muggins-scoring-lead": "Маггинс: заход с очками",
        "muggins-scoring-lead-pairs": "Маггинс: заход с очками, двое на двое",
        "block-doublet": "Без добора, со старшего дубля",
        "block-doublet-pairs": "Без добора, со старшего дубля, двое на двое",
        "draw-free": "Базар по желанию",
        "draw-free-pairs": "Базар по желанию, двое на двое",
        "muggins-61": "Пятёрки до 61",
        "muggins-61-pairs": "Пятёрки до 61, двое на двое",
        "fives-and-threes": "Пятёрки и тройки, 31",
        "sebastopol": "Севастополь (парами)",
        "sebastopol-singles": "Севастополь, каждый за себя",
        "dominican": "Доминиканское домино",
        "puerto-rico-500": "Пуэрто-Рико, 500",
        "puerto-rico-200": "Пуэрто-Рико, 200",
        "pairs-international": "Парное домино, международное",
        "pairs-spain": "Испанское домино",
        "venezuelan": "Венесуэльское домино",
        "brazilian-pairs": "Бразильское домино",
        "cuban": "Кубинское домино, дубль-девять",
        "jamaican-partner": "Ямайское домино, пары",
        "jamaican-cutthroat": "Ямайское домино, каждый за себя",
        "six-love-partner": "Шесть подряд, двое на двое (Ямайка)",
        "six-love-cutthroat": "Шесть всухую, каждый за себя (Ямайка)",
        "kozel": "Козёл",
        "kozel-pairs": "Козёл, двое на двое",
        "sea-kozel": "Морской козёл",
        "gaple": "Гапле (Индонезия)",
        "latin-individual": "Латиноамериканское, вдвоём и втроём",
        "bones": "Пятёрки (Bones)",
        "bones-pairs": "Пятёрки (Bones), двое на двое",
        "big-six": "Девять костей, вход с десяти",
        "five-up": "Файв-ап",
        "five-up-pairs": "Файв-ап, двое на двое",
        "merry-go-round": "Карусель",
        "bergen": "Берген",
    },
    "es": {
        "all-fives": "Cincos (All Fives)",
        "draw": "Dominó con robo",
        "block": "Dominó a pasar",
        "muggins-200": "Muggins cantado",
        "muggins-200-pairs": "Muggins cantado, por parejas",
        "fives-and-threes-league": "Cincos y treses, liga (61)",
        "fives-and-threes-pairs": "Cincos y treses, a 31, por parejas",
        "gomuggins": "Telefon 365",
        "muggins-exact-61": "Muggins a 61 justos",
        "muggins-exact-61-pairs": "Muggins a 61 justos, por parejas",
        "muggins-scoring-lead": "Muggins, salida que puntúa",
        "muggins-scoring-lead-pairs": "Muggins, salida que puntúa, por parejas",
        "block-doublet": "A pasar, sale el doble mayor",
        "block-doublet-pairs": "A pasar, sale el doble mayor, por parejas",
        "draw-free": "Robo libre",
        "draw-free-pairs": "Robo libre, por parejas",
        "muggins-61": "Cincos, a 61",
        "muggins-61-pairs": "Cincos, a 61, por parejas",
        "fives-and-threes": "Cincos y treses, a 31",
        "sebastopol": "Sebastopol (por parejas)",
        "sebastopol-singles": "Sebastopol, individual",
        "dominican": "Dominó dominicano",
        "puerto-rico-500": "Quinientos (Puerto Rico)",
        "puerto-rico-200": "Doscientos (Puerto Rico)",
        "pairs-international": "Dominó internacional por parejas",
        "pairs-spain": "Dominó español por parejas",
        "venezuelan": "Dominó venezolano",
        "brazilian-pairs": "Dominó brasileño por parejas",
        "cuban": "Dominó cubano, doble nueve",
        "jamaican-partner": "Dominó jamaicano por parejas",
        "jamaican-cutthroat": "Dominó jamaicano individual",
        "six-love-partner": "Seis seguidas, por parejas (Jamaica)",
        "six-love-cutthroat": "Seis a cero, individual (Jamaica)",
        "kozel": "Kozel (la cabra)",
        "kozel-pairs": "Kozel por parejas",
        "sea-kozel": "Kozel marinero (la cabra de mar)",
        "gaple": "Gaplé (Indonesia)",
        "latin-individual": "Dominó latino, dos o tres",
        "bones": "Cincos (Bones)",
        "bones-pairs": "Cincos (Bones), por parejas",
        "big-six": "Nueve fichas, diez para entrar",
        "five-up": "Five-Up",
        "five-up-pairs": "Five-Up por parejas",
        "merry-go-round": "Tiovivo",
        "bergen": "Bergen",
    },
}


_find_site_title: Callable[[Rules, int], str] = lambda rules, seats: ""  # noqa: E731


def register_site_titles(find: Callable[[Rules, int], str]) -> None:
    """Register a function that returns the title of a game of this site by its rules and seats, or ""."""
    global _find_site_title
    _find_site_title = find


def site_title(rules: Rules, seats: int) -> str:
    """Return the title of the site's own game with these rules, or ""."""
    return _find_site_title(rules, seats)
