"""Where the doors are."""

from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from ladder.api.views import operations

urlpatterns = [
    path("api/v1/", include("ladder.api.urls")),
    path("api/schema", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs", SpectacularSwaggerView.as_view()),
    path("_allauth/", include("allauth.headless.urls")),
    path("admin/", admin.site.urls),
    path("healthz", operations.healthz),
    path("readyz", operations.readyz),
    path("metrics", operations.metrics),
]
