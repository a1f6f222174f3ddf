"""Every setting, read from the environment with defaults that run on one machine with nothing else to start."""

import sys
from http import HTTPStatus
from logging import LogRecord
from pathlib import Path
from urllib.parse import quote

from core.siblings import SIBLINGS
from dominoes_site import environment as env

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env.text("VAR_DIR", default=str(BASE_DIR / "var")))
TESTING = "pytest" in sys.modules
NO_SECRET_KEY = "insecure-until-setup-has-run"


def _secret_key() -> str:
    """Return the key from the environment, or the one that `manage.py setup` keeps in var/ (mode 0600)."""
    if key := env.key("SECRET_KEY"):
        return key
    try:
        return (VAR_DIR / "secret_key").read_text().strip()
    except (FileNotFoundError, NotADirectoryError):
        # Commands that need no key (setup itself, selfplay, verify_record) must run before there is one.
        return NO_SECRET_KEY
    except OSError as error:
        raise env.InvalidVariable(
            "VAR_DIR", f"{VAR_DIR / 'secret_key'} cannot be read: {error.strerror}"
        ) from error


SECRET_KEY = _secret_key()
# Signs the checkpoints of the seals (core.checkpoint_key); b"" before `manage.py setup`.
CHECKPOINT_KEY = env.signing_key("CHECKPOINT_KEY", VAR_DIR / "checkpoint_key")
# Signs requests to push services (notifications.vapid); b"" before `manage.py setup`.
VAPID_KEY = env.signing_key("VAPID_KEY", VAR_DIR / "vapid_key")
# For tests: the origin of a push service of their own, http://127.0.0.1:PORT, which else would be refused.
PUSH_TEST_ORIGIN = env.loopback_origin("PUSH_TEST_ORIGIN")
HTTPS = env.flag("HTTPS", default=False)
DEBUG = env.debug("DEBUG", https=HTTPS)
# This machine is always allowed: whoever watches the process asks it at its own socket.
ALLOWED_HOSTS = [*env.hosts("ALLOWED_HOSTS"), "127.0.0.1", "localhost", "[::1]"]
CSRF_TRUSTED_ORIGINS = env.origins("CSRF_TRUSTED_ORIGINS")
# Where mails link to; a request's Host is the sender's choice. "" without ALLOWED_HOSTS, on a developer's machine.
SITE_URL = env.site_url("SITE_URL", "ALLOWED_HOSTS", https=HTTPS)
HSTS_SECONDS = env.whole_number("HSTS_SECONDS", default=3600, least=0, most=63_072_000)  # two years

INSTALLED_APPS = [
    "dominoes_site.apps.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "channels",
    "core",
    "live",
    "operators",
    "accounts",
    "games",
    "study",
    "lobbies",
    "events",
    "nights",
    "notifications",
    "api",
    "dominoes_site",
]

MIDDLEWARE = [
    # Static files go without the headers that only pages need: two dozen of them make a page.
    "dominoes_site.statics.StaticFilesMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "dominoes_site.prefixes.language_prefix",
    "django.middleware.gzip.GZipMiddleware",
    "dominoes_site.middleware.content_security_policy",
    "dominoes_site.middleware.reject_malformed",
    "dominoes_site.middleware.drop_cookies_of_health_checks",
    "api.middleware.without_cookies",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "api.middleware.authenticate",
    "accounts.middleware.dead_sessions",
    "accounts.middleware.ended_sessions",
    "accounts.middleware.preferred_language",
    "accounts.middleware.uncached",
    "lobbies.middleware.SeatAddresses",
    "events.middleware.EntrySenders",
    "games.middleware.page_presence",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "dominoes_site.metrics.count_responses",
]

ROOT_URLCONF = "dominoes_site.urls"
ASGI_APPLICATION = "dominoes_site.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "accounts.context.preferences",
                "operators.context.site",
                "games.context.desk",
                "lobbies.context.challenges",
                "dominoes_site.page_meta.page_meta",
            ],
        },
    },
]

# SQLite: IMMEDIATE takes the write lock when a transaction begins, so a move never fails on upgrading its lock;
# WAL lets readers go on meanwhile. Persistent connections are safe because the threads are bounded (serving.py).
_SQLITE_OPTIONS = {
    "timeout": 5,
    "transaction_mode": "IMMEDIATE",
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA temp_store=MEMORY;"
        "PRAGMA journal_size_limit=27103364; PRAGMA cache_size=2000;"
    ),
}
_FILE = quote(str(VAR_DIR / "boneyard.sqlite3"))
DATABASES = {"default": env.database("DATABASE_URL", default=f"sqlite:///{_FILE}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = _SQLITE_OPTIONS
    # A file, so that threads and sockets of a test share it; xdist gives each worker its own.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
else:
    DATABASES["default"]["ENGINE"] = "core.postgresql"
    # Seconds, and milliseconds: a machine that is gone without a word would hold each thread for a quarter of an hour.
    DATABASES["default"]["OPTIONS"] = {
        "connect_timeout": 5,
        "tcp_user_timeout": 5000,
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
        **DATABASES["default"].get("OPTIONS", {}),
    }
DATABASES["default"]["CONN_MAX_AGE"] = 0 if TESTING else 600
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
WEB_THREADS = env.whole_number("WEB_THREADS", default=4, least=1, most=200)

REDIS_URL = env.redis("REDIS_URL")
# Web processes of `manage.py serve` (docs/decisions/0011).
PROCESSES = env.whole_number("PROCESSES", default=1, least=1, most=64)
SHARED_CACHE_DIR = VAR_DIR / "cache"  # of these processes; emptied at the start
# The cache holds counters of rate limits. One that is full drops some of them, and with them the limit.
MAX_CACHE_ENTRIES, MAX_CACHE_FILES = 100_000, 10_000
CACHES: dict[str, dict[str, object]]
if REDIS_URL:
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "live.layers.redis.ChannelLayer",
            "CONFIG": {"hosts": [REDIS_URL]},
        }
    }
    CACHES = {"default": {"BACKEND": "core.redis_cache.Cache", "LOCATION": REDIS_URL}}
elif SIBLINGS.count > 1:
    CHANNEL_LAYERS = {"default": {"BACKEND": "live.layers.local.ChannelLayer"}}
    CACHES = {
        "default": {
            "BACKEND": "core.shared_cache.Cache",
            "LOCATION": SHARED_CACHE_DIR,
            "OPTIONS": {"MAX_ENTRIES": MAX_CACHE_FILES},
        }
    }
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "live.layers.memory.ChannelLayer"}}
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "OPTIONS": {"MAX_ENTRIES": MAX_CACHE_ENTRIES},
        }
    }

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "accounts.backends.SingleCheckBackend",
    # Named in the sessions of earlier releases; never asked for a password.
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "accounts.hashers.Argon2PasswordHasher",
    "accounts.hashers.PBKDF2PasswordHasher",
]
if TESTING:
    PASSWORD_HASHERS = ["accounts.hashers.MD5PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "lobby"
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False  # a guest, who is signed in, may open sign-up and log-in
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True  # a browser left open must not change addresses or factors
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # who asks for a new password cannot have the site write to strangers
ACCOUNT_FORMS = {
    "login": "accounts.forms.LoginForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
}
ACCOUNT_RATE_LIMITS: dict[str, str] | bool = {
    "login_failed": "10/m/ip,5/5m/key",  # the key is name and address
    "login_failed_name": "50/h/key",
    "login_failed_known": "5/5m/key",
    "export": "6/h/user",
}
ACCOUNT_LOGOUT_REDIRECT_URL = "lobby"
USERSESSIONS_ADAPTER = "accounts.adapter.DevicesAdapter"
MFA_ADAPTER = "accounts.adapter.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_FORMS = {
    "add_webauthn": "accounts.forms.AddPasskeyForm",
    "authenticate_webauthn": "accounts.forms.AuthenticatePasskeyForm",
    "login_webauthn": "accounts.forms.LogInPasskeyForm",
    "reauthenticate_webauthn": "accounts.forms.ReauthenticatePasskeyForm",
}
MFA_RATE_LIMITS: dict[str, str] | bool = {}  # allauth's own
SHARED_NETWORKS = env.networks("SHARED_NETWORKS")  # of clubs, whose members share addresses
ALLAUTH_TRUSTED_PROXY_COUNT = env.whole_number("TRUSTED_PROXY_COUNT", default=0, least=0, most=10)
EMAIL_CONFIG = env.mail("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)
MAIL_BACKEND, EMAIL_BACKEND = EMAIL_CONFIG["EMAIL_BACKEND"], "dominoes_site.mail.Backend"
EMAIL_TIMEOUT = env.whole_number("EMAIL_TIMEOUT", default=5, least=1, most=600)  # seconds
DEFAULT_FROM_EMAIL = env.sender("DEFAULT_FROM_EMAIL", default="Boneyard <noreply@localhost>")

# Limits on what one person may do; LIMITS=off lifts them for load tests.
LIMITS = env.flag("LIMITS", default=True)
if not LIMITS:
    ACCOUNT_RATE_LIMITS = MFA_RATE_LIMITS = False

# For how many days what nobody needs any more is kept (keeping.py).
GUESTS_KEPT_DAYS = env.whole_number(
    "GUESTS_KEPT_DAYS", default=30, least=1, most=36_500
)  # 0 would be those just come
ADDRESSES_KEPT_DAYS = env.whole_number("ADDRESSES_KEPT_DAYS", default=30, least=0, most=36_500)
TALK_KEPT_DAYS = env.whole_number("TALK_KEPT_DAYS", default=180, least=0, most=36_500)

EXHIBITIONS = env.flag("EXHIBITIONS", default=True)  # whether computers play while nobody else does
COMPUTER_WORKERS = env.whole_number("COMPUTER_WORKERS", default=2, least=1, most=64)
# For tests and measures: these pauses instead of those chosen for each table (docs/http.md, "Tables").
COMPUTER_PAUSE_MS = env.whole_number("COMPUTER_PAUSE_MS", default=None, least=0, most=600_000)
CALL_PAUSE_MS = env.whole_number("CALL_PAUSE_MS", default=None, least=0, most=600_000)
ROUND_PAUSE_MS = env.whole_number("ROUND_PAUSE_MS", default=None, least=0, most=600_000)
FIRST_TURN_MS = env.whole_number("FIRST_TURN_MS", default=None, least=0, most=600_000)

LANGUAGE_CODE = "en"
# By their own names, for everybody. A language of a region (`pt-pt`) has only the words that differ from its base;
# operators, clubs and nights write in the base languages (core/languages.py).
LANGUAGES = [
    ("en", "English"),
    ("ru", "Русский"),
    ("es", "Español"),
    ("pt", "Português"),
    ("pt-pt", "Português (Portugal)"),
]
FORMAT_MODULE_PATH = "dominoes_site.formats"
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_SAMESITE = "Lax"
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = BASE_DIR / "static-built"
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_AUTOREFRESH = TESTING  # else every test client would read what has been collected, all of it


def WHITENOISE_ADD_HEADERS_FUNCTION(headers: dict[str, str], path: str, url: str) -> None:  # noqa: N802
    headers["X-Content-Type-Options"] = "nosniff"
    # Headers are kept short, as in statics.Sender: a script is UTF-8 anyway.
    if headers["Content-Type"].startswith("text/javascript"):
        headers["Content-Type"] = "text/javascript"
    if "immutable" in headers.get("Cache-Control", ""):
        headers["Cache-Control"] = "max-age=31536000, immutable"


STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if TESTING
        else "dominoes_site.statics.StaticFilesStorage"
    },
}

SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 60
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "dominoes_site.views.csrf_failure"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
# Subdomains and the browsers' preload lists bind more than this site: for its owner to say (HSTS in docs/deploy.md).
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    # Asked at the process's own socket, without the proxy.
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^metrics$"]
    SECURE_HSTS_SECONDS = HSTS_SECONDS
    SESSION_COOKIE_NAME = "__Host-session"
    CSRF_COOKIE_NAME = "__Host-csrf"
SECURE_CSP = {
    "default-src": ["'self'"],
    "img-src": ["'self'", "data:"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
    "form-action": ["'self'"],
}
METRICS_TOKEN = env.key("METRICS_TOKEN", env.MIN_TOKEN_LENGTH)
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"


def _in_one_line(record: LogRecord) -> bool:
    """Lets the record pass, without the traceback and the line breaks that an address may hold."""
    record.msg, record.args = " ".join(record.getMessage().splitlines()), ()
    record.exc_info = record.exc_text = None
    return True


def _is_unplanned(record: LogRecord) -> bool:
    """Drop refusals with 503, as of tables during maintenance; an outage of the database comes with its exception."""
    is_refusal = getattr(record, "status_code", None) == HTTPStatus.SERVICE_UNAVAILABLE
    return not is_refusal or bool(record.exc_info)


LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "filters": {
        "in one line": {"()": "django.utils.log.CallbackFilter", "callback": _in_one_line},
        "once an outage": {"()": "core.database.OutageLogFilter"},
        "unplanned": {"()": "django.utils.log.CallbackFilter", "callback": _is_unplanned},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["once an outage"]},
        "refusals": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["in one line"]},
    },
    # live.layers.redis and core.database log the beginning and the end of an outage; repeated errors are dropped.
    # A refused move or an unknown address is normal; what breaks is an error.
    # A foreign host's name or an odd question of the admin is the asker's fault: where it happened helps nobody.
    "loggers": {
        "channels_redis.pubsub": {"level": "CRITICAL"},
        "django.request": {"level": "ERROR", "filters": ["unplanned"]},
        "django.security": {"handlers": ["refusals"], "propagate": False},
    },
    "root": {"handlers": ["console"], "level": env.level("LOG_LEVEL", default="WARNING")},
}
