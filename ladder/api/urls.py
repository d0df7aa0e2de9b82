"""The URLs under ``/api/v1/`` of ladders, players and matches."""

from django.urls import path

from ladder.api.views import ladders, matches, players, rule_sets, server

urlpatterns = [
    path("ladders", ladders.Ladders.as_view()),
    path("ladders/<slug:slug>", ladders.OneLadder.as_view()),
    path("ladders/<slug:slug>/leaderboard", ladders.Leaderboard.as_view()),
    path("ladders/<slug:slug>/leaderboard/around-me", ladders.AroundMe.as_view()),
    path("ladders/<slug:slug>/leaderboard/most-wins", ladders.MostWins.as_view()),
    path("ladders/<slug:slug>/preview", ladders.PreviewMatch.as_view()),
    path("rule-sets", rule_sets.AllRuleSets.as_view()),
    path("rule-sets/<slug:name>/preview", rule_sets.Calculate.as_view()),
    path("players/<str:username>", players.OnePlayer.as_view()),
    path("players/<str:username>/rating-entries", players.RatingEntries.as_view()),
    path("players/<str:username>/matches", players.Matches.as_view()),
    path("matches/<uuid:match_id>", matches.OneMatch.as_view()),
    path("matches/<uuid:match_id>/accept", matches.Accept.as_view()),
    path("matches/<uuid:match_id>/decline", matches.Decline.as_view()),
    path("matches/<uuid:match_id>/report", matches.ReportResult.as_view()),
    path("matches/<uuid:match_id>/confirm", matches.Confirm.as_view()),
    path("matches/<uuid:match_id>/dispute", matches.DisputeResult.as_view()),
    path("server/matches/<uuid:match_id>/result", server.Result.as_view()),
]
