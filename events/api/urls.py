"""The addresses under ``/api/v1/`` of events."""

from django.urls import path

from events.api import views

urlpatterns = [
    path("events", views.Events.as_view()),
    path("events/poll", views.PollEvents.as_view()),
    path("events/token", views.MakeToken.as_view()),
]
