"""Pictures of matchmaking; how pictures are made, :mod:`ladder.charts` says."""
