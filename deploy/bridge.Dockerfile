# The bridge in a container: docker build --file deploy/bridge.Dockerfile --tag schedule-bridge .
FROM python:3.13-slim AS build
WORKDIR /source
COPY requirements-dev.lock pyproject.toml README.md LICENSE ./
COPY schemas schemas
COPY bridge bridge
RUN python -m venv /opt/schedule-bridge \
    && /opt/schedule-bridge/bin/pip install --no-cache-dir --constraint requirements-dev.lock ".[postgres]"

FROM python:3.13-slim
COPY --from=build /opt/schedule-bridge /opt/schedule-bridge
RUN useradd --system --uid 10001 --home-dir /var/lib/schedule-bridge --create-home schedule-bridge
USER 10001
WORKDIR /var/lib/schedule-bridge
# Store and token lie in $XDG_DATA_HOME/schedule-bridge unless told otherwise.
ENV PATH=/opt/schedule-bridge/bin:$PATH XDG_DATA_HOME=/var/lib SCHEDULE_BRIDGE_HOST=0.0.0.0
VOLUME /var/lib/schedule-bridge
EXPOSE 8765
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["python", "-c", \
    "from urllib.request import urlopen; urlopen('http://127.0.0.1:8765/readyz', timeout=2)"]
ENTRYPOINT ["schedule-bridge"]
CMD ["serve"]
