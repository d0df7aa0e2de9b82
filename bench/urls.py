"""The URLs of the product, and the settlement with the ORM."""

from django.urls import path

from bench.statement_by_statement import Result
from config.urls import urlpatterns as product

urlpatterns = [*product, path("bench/matches/<uuid:match_id>/result", Result.as_view())]
