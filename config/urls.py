"""The URLs of the project."""

from django.contrib import admin
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from common.api import operations

urlpatterns = [
    path("", RedirectView.as_view(url="api/docs")),
    *(path("api/v1/", include(f"{app}.api.urls")) for app in ("accounts", "events", "ladder", "matchmaking")),
    path("api/schema", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs", SpectacularSwaggerView.as_view()),
    path("_allauth/", include("allauth.headless.urls")),
    path("admin/", admin.site.urls),
    # These use no cookies, so CSRF checks are not needed. Other methods get 405 instead of the CSRF page.
    path("healthz", csrf_exempt(operations.healthz)),
    path("readyz", csrf_exempt(operations.readyz)),
    path("metrics", csrf_exempt(operations.metrics)),
]
