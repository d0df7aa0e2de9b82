"""The URLs of accounts under ``/api/v1/``."""

from django.urls import path

from accounts.api.views import blocks, me

urlpatterns = [
    path("me", me.Me.as_view()),
    path("blocks", blocks.Blocks.as_view()),
    path("blocks/<str:username>", blocks.OneBlock.as_view()),
]
