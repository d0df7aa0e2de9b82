"""Settings. Everything that differs between installations comes from the environment (see docs/operations.md)."""

from pathlib import Path

import environ
from django.templatetags.static import static
from django.utils.translation import gettext_lazy as _

env = environ.Env()

BASE_DIR = Path(__file__).resolve().parent.parent

SECRET_KEY = env.str("DJANGO_SECRET_KEY")
DEBUG = env.bool("DJANGO_DEBUG", False)
ALLOWED_HOSTS = env.list("DJANGO_ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("DJANGO_CSRF_TRUSTED_ORIGINS", default=[])

# --- applications ---------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "unfold",
    "unfold.contrib.filters",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.mfa",
    "allauth.headless",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "pgtrigger",
    "django_prometheus",
    # Our apps, the lowest layer first. Each app adds to the ones below it in its AppConfig.
    "common",
    "accounts",
    "events",
    "ladder",
    "matchmaking",
]

MIDDLEWARE = [
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "common.api.middleware.ProblemMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "common" / "templates"],  # before the theme's
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

ROOT_URLCONF = "config.urls"
WEB_THREADS = env.int("WEB_THREADS", 4)  # per process; each answers one request at a time
WSGI_APPLICATION = "config.wsgi.application"

# --- data -----------------------------------------------------------------------------------------------------------

DATABASES = {"default": env.db("DATABASE_URL")}
DATABASES["default"]["OPTIONS"] = {
    # Django's cursor never prepares statements, and its default would forbid it for common.sql too.
    "prepare_threshold": 5,
    # A pool in each web process. A thread uses a connection for one request.
    **(
        {"pool": {"min_size": 1, "max_size": env.int("DB_POOL_SIZE", WEB_THREADS + 4), "timeout": 5}}
        if env.bool("DB_POOL", False)
        else {}
    ),
}
# A connection that was lost when the server restarted is replaced before a request uses it.
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Whether manage.py started or found the database by itself; then its commands keep it up to date.
EMBEDDED_DATABASE = env.bool("EMBEDDED_DATABASE", False)

REDIS_URL = env.str("REDIS_URL")
CACHES = {
    "default": {
        "BACKEND": "common.cache.OptionalRedisCache",
        "LOCATION": REDIS_URL,
        "OPTIONS": {"socket_connect_timeout": 0.5, "socket_timeout": 0.5},
    }
}

# --- accounts -------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
# Usernames are unique by an index on lower(username), which this check does not recognise.
SILENCED_SYSTEM_CHECKS = ["auth.W004"]
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"

ACCOUNT_ADAPTER = "accounts.api.sign_in.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = env.str("ACCOUNT_EMAIL_VERIFICATION", "optional")
# Codes instead of links if possible, because a game client has no web page for links.
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = ACCOUNT_EMAIL_VERIFICATION == "mandatory"
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_UNIQUE_EMAIL = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
FRONTEND_URL = env.str("FRONTEND_URL", "http://localhost:8000")
HEADLESS_ONLY = True
HEADLESS_FRONTEND_URLS = {
    "account_confirm_email": f"{FRONTEND_URL}/verify-email/{{key}}",
    "account_reset_password": f"{FRONTEND_URL}/reset-password",
    "account_reset_password_from_key": f"{FRONTEND_URL}/reset-password/{{key}}",
    "account_signup": f"{FRONTEND_URL}/sign-up",
}
HEADLESS_CLIENTS = ["app"]
HEADLESS_SERVE_SPECIFICATION = True
HEADLESS_SPECIFICATION_TEMPLATE_NAME = None  # its page loads scripts from other servers; openapi.json stays
HEADLESS_ADAPTER = "accounts.api.sign_in.HeadlessAdapter"
HEADLESS_TOKEN_STRATEGY = "accounts.api.sign_in.BearerTokenStrategy"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
# The OpenID Connect providers of this installation, in the format of allauth's documentation.
SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": env.json("OPENID_CONNECT_APPS", default=[])}}
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False

EMAIL_CONFIG = env.email("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", "ladder@localhost")

# --- security -------------------------------------------------------------------------------------------------------

# The number of our own proxies. This many addresses at the end of X-Forwarded-For can be trusted.
NUM_PROXIES = ALLAUTH_TRUSTED_PROXY_COUNT = env.int("NUM_PROXIES", 0)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.bool("BEHIND_TLS_PROXY", False) else None
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env.bool("BEHIND_TLS_PROXY", False)
SESSION_COOKIE_AGE = 60 * 60 * 24 * 30
X_FRAME_OPTIONS = "DENY"

# --- language and time ----------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("ko", "한국어")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "config.formats"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# --- static files ---------------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = env.str("STATIC_ROOT", "") or None
# Files are served from the packages, so no collection step is needed.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

# --- background work ------------------------------------------------------------------------------------------------

CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# By default, kombu checks for the tasks of a killed worker only every 100 visibility timeouts.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 3600,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
}

# --- the API --------------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.api.authentication.BearerAuthentication",
        "accounts.api.authentication.ServiceKeyAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["common.api.parsers.StrictJSONParser"],
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "common.api.schema.ProblemAwareSchema",
    "DEFAULT_THROTTLE_CLASSES": ["common.api.throttling.CallerThrottle"],
    "DEFAULT_THROTTLE_RATES": {
        "read": env.str("THROTTLE_READ", "600/min"),
        "write": env.str("THROTTLE_WRITE", "120/min"),
        "queue": env.str("THROTTLE_QUEUE", "30/min"),
        "arranged": env.str("THROTTLE_ARRANGED", "20/min"),
        "service": env.str("THROTTLE_SERVICE", "300000/min"),
    },
    "NUM_PROXIES": NUM_PROXIES,
    "EXCEPTION_HANDLER": "common.api.problems.exception_handler",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Backgammon ladder",
    "VERSION": "1",
    "DESCRIPTION": (
        "Ranked play for backgammon: matches, ratings that settle at confirmation, leaderboards. Accounts are made and "
        "signed in at `/_allauth/app/v1/`. Errors are problem details (RFC 9457) with a stable `code`."
    ),
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_ADD_EXPLICIT_BLANK_NULL_CHOICE": False,
    # Enumerations stay in the fields that use them. Components for them would get generated names.
    "POSTPROCESSING_HOOKS": [],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
}

# The token that /metrics needs. If it is empty, only this machine may read them.
METRICS_TOKEN = env.str("METRICS_TOKEN", "")

# --- deadlines (the rules of rating are in ladder/rules) --------------------------------------------------------------

MATCH_OFFER_SECONDS = env.int("MATCH_OFFER_SECONDS", 20)
TICKET_SILENCE_SECONDS = env.int("TICKET_SILENCE_SECONDS", 60)
CHALLENGE_MINUTES = env.int("CHALLENGE_MINUTES", 60)
INVITE_HOURS = env.int("INVITE_HOURS", 24)
MATCH_CONFIRM_HOURS = env.int("MATCH_CONFIRM_HOURS", 24)
MATCH_EXPIRY_HOURS = env.int("MATCH_EXPIRY_HOURS", 48)
IDEMPOTENCY_KEY_HOURS = env.int("IDEMPOTENCY_KEY_HOURS", 24)
EVENT_DAYS = env.int("EVENT_DAYS", 30)

# --- how events are streamed, in seconds ----------------------------------------------------------------------------

EVENT_HEARTBEAT_SECONDS = env.float("EVENT_HEARTBEAT_SECONDS", 15.0)
EVENT_LOOK_SECONDS = env.float("EVENT_LOOK_SECONDS", 2.0)  # longest delay of an event while Redis cannot be reached
EVENT_CHECK_SECONDS = env.float("EVENT_CHECK_SECONDS", 10.0)  # longest time that a stream stays open after sign-out
EVENT_STREAMS_PER_ACCOUNT = env.int("EVENT_STREAMS_PER_ACCOUNT", 10)  # in each process

# --- the admin ------------------------------------------------------------------------------------------------------

UNFOLD = {
    "SITE_TITLE": _("Backgammon ladder"),
    "SITE_HEADER": _("Backgammon ladder"),
    "SITE_SYMBOL": "casino",
    "SITE_URL": None,
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": lambda _request: static("common/icon.svg")}],
    "SHOW_HISTORY": False,  # the audit trail replaces it
    "SHOW_VIEW_ON_SITE": False,
    "SHOW_BACK_BUTTON": True,
    "DASHBOARD_CALLBACK": "common.admin.dashboard.dashboard",
    "STYLES": [lambda _request: static("common/admin.css")],
    "SIDEBAR": {"navigation": "common.admin.navigation.sidebar"},
    "TABS": "common.admin.navigation.tabs",
    "COLORS": {
        "primary": {  # green
            "50": "#ecfdf5", "100": "#d1fae5", "200": "#a7f3d0", "300": "#6ee7b7", "400": "#34d399", "500": "#10b981",
            "600": "#047857", "700": "#065f46", "800": "#064e3b", "900": "#053f31", "950": "#022c22",
        }
    },
}  # fmt: skip

# --- logs -----------------------------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", "INFO")},
    "loggers": {"django.request": {"level": "ERROR"}},
}
