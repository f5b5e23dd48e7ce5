# Build: everything, then only what production needs.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY .ci ./.ci
# Without install scripts: nothing that is used here needs one.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY src ./src
COPY proxy ./proxy
COPY codemods ./codemods
RUN node .ci/build.ts --without-types
RUN mkdir data
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production
# Inside a container 127.0.0.1 reaches nobody; publish the admin port (8081) to your own network only.
ENV MIGRATE_V2_LISTEN=0.0.0.0:8080
ENV MIGRATE_V2_ADMIN=0.0.0.0:8081
# The record of v1 calls: mount a volume here, or give a postgres:// address, so that it outlives the container.
ENV MIGRATE_V2_STORE=/data/migrate-v2.usage.db
COPY --from=build --chown=node:node /app/data /data
VOLUME /data
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE MIGRATION.md ./
USER node
EXPOSE 8080 8081
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["node", "-e", "fetch('http://127.0.0.1:8081/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Set MIGRATE_V2_V2_BASE to the base address of v2, or MIGRATE_V2_SANDBOX=true to try it.
CMD ["node", "dist/src/cli/bin.js", "proxy"]
