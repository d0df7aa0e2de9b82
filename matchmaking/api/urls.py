"""The URLs of matchmaking under ``/api/v1/``."""

from django.urls import path

from matchmaking.api.views import arranged, tickets

urlpatterns = [
    path("matchmaking/tickets", tickets.Tickets.as_view()),
    path("matchmaking/tickets/<uuid:ticket_id>", tickets.OneTicket.as_view()),
    path("matchmaking/tickets/<uuid:ticket_id>/heartbeat", tickets.Heartbeat.as_view()),
    path("challenges", arranged.Challenges.as_view()),
    path("matches/<uuid:match_id>/rematch", arranged.Rematch.as_view()),
    path("invites", arranged.Invites.as_view()),
    path("invites/accept", arranged.AcceptInvite.as_view()),
    path("invites/<uuid:invite_id>", arranged.OneInvite.as_view()),
]
