"""A small ladder to attack by SQL, and the statements that do it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from functools import partial

from django.db.models import Model, UUIDField
from django.utils import timezone

from accounts.models import AuditEntry, Block, ServiceKey, Suspension, User
from accounts.services import blocks
from common.models import IdempotencyKey
from events.models import Event, EventStream
from ladder.models import DecayPause, DecayRun, MatchReport, RatingEntry, Ruling
from ladder.rules.ranked import Origin
from ladder.rules.ruling import ReasonCode
from ladder.services.matches import offers, rulings
from matchmaking.models import Invite, Offer, OfferSide, Penalty
from matchmaking.services import invites, tickets
from tests import factories
from tests.matchmaking.queueing import paired, queued

World = Mapping[str, Model]
Statement = Callable[[World], str]


def make_world() -> dict[str, Model]:
    """One of everything, made by the services."""
    one, two, stranger = factories.make_players(3)
    moderator = factories.make_moderator()
    other_ladder = factories.make_ladder("other")
    confirmed, corrected, voided = (factories.confirmed_match(one, two) for _ in range(3))
    overturn = partial(rulings.overturn_match, actor=moderator, reason_code=ReasonCode.ADMITTED, reason="Both say so.")
    overturn(corrected.pk, winner=2)
    overturn(voided.pk, winner=None)
    elsewhere = factories.confirmed_match(one, two, ladder=other_ladder)
    awaiting = factories.awaiting_match(one, two)
    factories.make_service_key()
    outer = factories.make_ladder("outer")
    inner = factories.make_ladder("inner", overall=outer)
    ledger = RatingEntry.objects.filter(standing__player=one)
    return {
        **_queue(),
        "one": one,
        "two": two,
        "stranger": stranger,
        "ladder": confirmed.ladder,
        "inner": inner,
        "ruling": Ruling.objects.get(match=voided),
        "confirmed": confirmed,
        "voided": voided,
        "elsewhere": elsewhere,
        "awaiting": awaiting,
        "offered": factories.offered_match(one, two),
        "unplayed": factories.standing_of(factories.offered_match(stranger, one).player_one),
        "cancelled": factories.cancelled_match(one, two),
        "challenge": factories.confirmed_match(one, two, origin=Origin.CHALLENGE),
        "standing": factories.standing_of(one),
        "standing_two": factories.standing_of(two),
        "standing_elsewhere": factories.standing_of(one, other_ladder),
        "entry": ledger.get(match=confirmed),
        "last": RatingEntry.objects.filter(standing=factories.standing_of(one)).latest("sequence"),
        "reversal": ledger.get(match=corrected, kind="reversal"),
        "follower": ledger.get(match=corrected, follows__isnull=False),
        "void_reversal": ledger.get(match=voided, kind="reversal"),
        "run": DecayRun.objects.create(
            ladder=confirmed.ladder, day=date(2026, 2, 1), state=DecayRun.State.COMPLETED, finished_at=timezone.now()
        ),
        "pause": DecayPause.objects.create(
            ladder=confirmed.ladder, first_day=date(2026, 2, 2), last_day=date(2026, 2, 3), declared_by=moderator
        ),
        "suspension": Suspension.objects.create(account=stranger, reason="Cheated.", created_by=moderator),
        "stream": EventStream.objects.get_or_create(account=one)[0],
        "event": Event.objects.create(account=one, number=1_000, kind="decay_ahead", unique_key="decay"),
        "report": MatchReport.objects.filter(match=awaiting).latest("created_at"),
        "audit": AuditEntry.objects.latest("pk"),
        "key": ServiceKey.objects.latest("pk"),
        "answer": IdempotencyKey.objects.create(
            caller="1", key="a", fingerprint=b"", status=200, body=b"", content_type="application/json"
        ),
    }


def _queue() -> dict[str, Model]:
    """Tickets and offers of players who do nothing else."""
    offer, other_offer = paired(), paired()
    left = queued()
    closed_ticket = tickets.cancel(left.pk, left.account)
    declined = paired()
    offers.decline(declined.pk, declined.player_one)
    return {
        "waiting": queued(left.account),
        "closed_ticket": closed_ticket,
        "offer": Offer.objects.get(match=offer),
        "other_offer": Offer.objects.get(match=other_offer),
        "side": OfferSide.objects.get(offer=offer.pk, seat=1),
        "side_ticket": OfferSide.objects.get(offer=offer.pk, seat=1).ticket,
        "other_side": OfferSide.objects.get(offer=other_offer.pk, seat=1),
        "penalty": Penalty.objects.get(),
        "invite": invites.create(left.account, left.ladder, match_length=5)[0],
        "used_invite": _used_invite(),
        "block": _block(left.account),
    }


def _used_invite() -> Invite:
    invite, token = invites.create(factories.make_player(), factories.make_ladder(), match_length=5)
    invites.accept(factories.make_player(), token)
    invite.refresh_from_db()
    return invite


def _block(account: User) -> Block:
    blocks.block(account, factories.make_player().username)
    return Block.objects.get()


def copy(name: str, **changes: str) -> Statement:
    """Insert a copy of the row of that name, with changes.

    A change is an SQL expression: it may use the columns of the row, and ``{name}`` for the id of another one.
    """

    def statement(world: World) -> str:
        meta = world[name]._meta
        values = (
            {field.attname: f'"{field.attname}"' for field in meta.concrete_fields}
            | {"id": "gen_random_uuid()"}
            | changes
        )
        if not isinstance(meta.pk, UUIDField):
            del values["id"]
        columns, expressions = ", ".join(f'"{column}"' for column in values), ", ".join(values.values())
        return _filled(f"INSERT INTO {meta.db_table} ({columns}) SELECT {expressions}", world, name)

    return statement


def change(name: str, **changes: str) -> Statement:
    """Update the row of that name; changes are as in :func:`copy`."""
    assignments = ", ".join(f"{column} = {value}" for column, value in changes.items())
    return lambda world: _filled(f"UPDATE {world[name]._meta.db_table} SET {assignments}", world, name, source="")


def delete(name: str) -> Statement:
    return lambda world: _filled(f"DELETE FROM {world[name]._meta.db_table}", world, name, source="")


def truncate(name: str) -> Statement:
    return lambda world: f"TRUNCATE {world[name]._meta.db_table}"


def _filled(statement: str, world: World, name: str, *, source: str = " FROM {table}") -> str:
    ids = {key: f"'{row.pk}'" for key, row in world.items()}
    meta = world[name]._meta
    where = f"{source} WHERE {meta.pk.column} = {{{name}}}".replace("{table}", meta.db_table)
    return (statement + where).format(**ids)
