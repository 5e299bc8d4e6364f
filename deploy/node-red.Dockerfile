# Node-RED with the nodes: docker build --file deploy/node-red.Dockerfile --tag node-red-schedule-trigger .
FROM nodered/node-red:4.1
COPY --chown=node-red:root package.json README.md LICENSE pyproject.toml requirements.lock /opt/schedule-trigger/
COPY --chown=node-red:root bridge /opt/schedule-trigger/bridge
COPY --chown=node-red:root examples /opt/schedule-trigger/examples
COPY --chown=node-red:root node-red /opt/schedule-trigger/node-red
COPY --chown=node-red:root resources /opt/schedule-trigger/resources
COPY --chown=node-red:root schemas /opt/schedule-trigger/schemas
RUN npm install --no-save --install-links --omit=dev --no-audit --no-fund /opt/schedule-trigger
