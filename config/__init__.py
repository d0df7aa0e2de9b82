"""How the product runs. Every process imports this package, so that each uses the configured Celery app."""

from config.celery import app as celery_app

__all__ = ("celery_app",)
