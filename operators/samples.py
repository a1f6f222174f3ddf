"""The pages that a new site begins with; the operator changes them in the admin."""

from operators.translated import Texts

# By address: title and text in Markdown.
PAGES: dict[str, tuple[Texts, Texts]] = {
    "about": (
        {"en": "About this site", "ru": "Об этом сайте", "es": "Sobre este sitio", "pt": "Sobre este site"},
        {
            "en": (
                "People play dominoes here: with each other, live, and with computers. It costs nothing and shows no"
                " advertisements.\n\n"
                "- Every deal is **sealed before it is dealt**, and anybody can check it afterwards.\n"
                "- All games and their rules are described, with their sources.\n"
                "- Ratings are computed by a published formula.\n\n"
                "The program is free software."
            ),
            "ru": (
                "Здесь играют в домино: друг с другом вживую и с компьютером. Это ничего не стоит, рекламы нет.\n\n"
                "- Каждая раздача **запечатана заранее**, и потом её может проверить любой.\n"
                "- Все игры и их правила описаны, с источниками.\n"
                "- Рейтинг считается по опубликованной формуле.\n\n"
                "Программа свободная."
            ),
            "es": (
                "Aquí se juega al dominó: entre personas, en vivo, y con el ordenador. Es gratis y sin anuncios.\n\n"
                "- Cada reparto queda **sellado antes de repartir**, y después cualquiera puede comprobarlo.\n"
                "- Todos los juegos y sus reglas están descritos, con sus fuentes.\n"
                "- La puntuación se calcula con una fórmula publicada.\n\n"
                "El programa es software libre."
            ),
            "pt": (
                "Aqui se joga dominó: entre pessoas, ao vivo, e com computadores. É de graça e sem anúncios.\n\n"
                "- Cada distribuição é **lacrada antes de ser feita**, e depois qualquer um pode conferir.\n"
                "- Todos os jogos e suas regras estão descritos, com as fontes.\n"
                "- O rating é calculado por uma fórmula publicada.\n\n"
                "O programa é software livre."
            ),
        },
    ),
    "terms": (
        {"en": "Terms of use", "ru": "Правила сайта", "es": "Condiciones de uso", "pt": "Termos de uso"},
        {
            "en": (
                "1. Choose your moves yourself. No program, and nobody else, chooses them for you in matches with"
                " people.\n"
                "2. One account for each person.\n"
                "3. Do not insult anybody: not in talk, and not by your name.\n"
                "4. Do not lose or win on purpose, and do not tell a partner or an opponent your tiles.\n"
                "5. Finish the matches that you begin.\n"
                "6. The site handles no money. It takes no stakes and pays no prizes.\n\n"
                "Moderators may warn, mute or bar people who break these rules, or close their account. They say why,"
                " and you can appeal.\n\n"
                "The site is offered as it is, without a warranty. You can delete your account at any time."
            ),
            "ru": (
                "1. Ходите сами. В партиях с людьми за вас не ходит ни программа, ни кто-то другой.\n"
                "2. У каждого одна учётная запись.\n"
                "3. Никого не оскорбляйте ни в разговоре, ни своим именем.\n"
                "4. Не проигрывайте и не выигрывайте нарочно и не сообщайте свои кости ни партнёру, ни соперникам.\n"
                "5. Доигрывайте начатые партии.\n"
                "6. Денег на сайте нет: он не принимает ставок и не выплачивает призов.\n\n"
                "Нарушителей модераторы предупреждают, лишают слова или рейтинговых партий, а то и закрывают запись."
                " Причину вам сообщат, и её можно обжаловать.\n\n"
                "Сайт работает как есть, без гарантий. Удалить свою запись можно в любой момент."
            ),
            "es": (
                "1. Elige tú tus jugadas. En partidas con personas no las elige un programa ni nadie más.\n"
                "2. Una cuenta por persona.\n"
                "3. No insultes a nadie, ni al hablar ni con tu nombre.\n"
                "4. No pierdas ni ganes a propósito, y no digas tus fichas a tu compañero ni a un rival.\n"
                "5. Termina las partidas que empieces.\n"
                "6. El sitio no maneja dinero: no recibe apuestas ni paga premios.\n\n"
                "A quien no cumpla, los moderadores pueden avisarle, silenciarlo, dejarlo sin partidas puntuadas o"
                " cerrarle la cuenta. Dicen por qué, y se puede recurrir.\n\n"
                "El sitio se ofrece tal cual, sin garantías. Puedes borrar tu cuenta cuando quieras."
            ),
            "pt": (
                "1. Escolha você mesmo as suas jogadas. Em partidas com pessoas nenhum programa, e mais ninguém, as"
                " escolhe por você.\n"
                "2. Uma conta por pessoa.\n"
                "3. Não insulte ninguém: nem na conversa, nem com o seu nome.\n"
                "4. Não perca nem ganhe de propósito, e não conte as suas pedras a um parceiro ou adversário.\n"
                "5. Termine as partidas que começar.\n"
                "6. O site não mexe com dinheiro: não aceita apostas e não paga prêmios.\n\n"
                "Quem não cumprir pode ser advertido, silenciado, excluído das ranqueadas ou ter a conta encerrada"
                " pelos moderadores. Eles dizem por quê, e dá para recorrer.\n\n"
                "O site é oferecido como está, sem garantia. Você pode excluir a sua conta quando quiser."
            ),
        },
    ),
    "privacy": (
        {"en": "What is kept", "ru": "Что хранится", "es": "Qué se guarda", "pt": "O que fica guardado"},
        {},
    ),
}
