from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LadderConfig(AppConfig):
    name = "ladder"
    verbose_name = _("Ladder")

    def ready(self) -> None:
        from accounts import points as accounts
        from accounts.services.roles import MODERATORS
        from common.admin.dashboard import FIGURES
        from common.admin.dashboard import PANELS as DASHBOARD_PANELS
        from common.admin.navigation import NAVIGATION, TABS
        from common.api.operations import READINESS
        from common.metrics import COLLECTORS
        from events.points import KINDS
        from ladder import event_kinds, points
        from ladder.admin.additions import ACCOUNT_LINKS, AUDIT_ACTIONS, PAGES, PANELS, figures, match_tabs
        from ladder.api.me import PLAY
        from ladder.metrics import DECAY_IS_UP_TO_DATE, DecayCollector
        from ladder.services.matches.closed_accounts import ClosedAccounts
        from ladder.services.matches.eligibility import MATCH_UNDER_WAY, WINS_UNCONFIRMED

        KINDS.add(*event_kinds.KINDS)
        accounts.ME.add(PLAY)
        accounts.LISTENERS.add(ClosedAccounts())
        points.BUSY.add(MATCH_UNDER_WAY, WINS_UNCONFIRMED)
        accounts.ROLE_PERMISSIONS.add(
            *accounts.may(
                MODERATORS,
                "ladder.add_decaypause",
                "ladder.rule_match",
                "ladder.view_decaypause",
                "ladder.view_decayrun",
                "ladder.view_ladder",
                "ladder.view_match",
                "ladder.view_matchreport",
                "ladder.view_ratingentry",
                "ladder.view_standing",
            )
        )
        accounts.AUDIT_ACTIONS.add(*AUDIT_ACTIONS)
        accounts.ACCOUNT_LINKS.add(*ACCOUNT_LINKS)
        NAVIGATION.add(*PAGES)
        TABS.add(match_tabs)
        FIGURES.add(figures)
        DASHBOARD_PANELS.add(*PANELS)
        COLLECTORS.add(DecayCollector())
        READINESS.add(DECAY_IS_UP_TO_DATE)
