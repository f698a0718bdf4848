# docker build -t terrane .        (or: docker compose -f deploy/compose.yaml up)
FROM debian:bookworm-slim AS build
# --build-arg TERRANE_VIEWER=OFF: without the viewer, for which npm fetches some packages
ARG TERRANE_VIEWER=ON
COPY deploy/install-deps /src/deploy/
RUN TERRANE_VIEWER=$TERRANE_VIEWER /src/deploy/install-deps \
 && apt-get install -y -q --no-install-recommends ca-certificates \
 && rm -rf /var/lib/apt/lists/*
COPY CMakeLists.txt CMakePresets.json /src/
COPY deploy/build deploy/collect-runtime /src/deploy/
COPY deploy/cmake /src/deploy/cmake
COPY proto /src/proto
COPY server /src/server
COPY client-sdk /src/client-sdk
# --build-arg TERRANE_REVISION=$(git describe --always --dirty --abbrev=12)
ARG TERRANE_REVISION=unknown
RUN TERRANE_VIEWER=$TERRANE_VIEWER TERRANE_REVISION=$TERRANE_REVISION \
    /src/deploy/build release OFF terraned terrane \
 && cd /src/build/release && strip server/terraned client-sdk/cli/terrane \
 && /src/deploy/collect-runtime /out server/terraned client-sdk/cli/terrane \
 && install -d /empty

# The two programs, the libraries that they need, and nothing else: no shell, no package manager, no
# file with another user's rights.
FROM scratch
ARG TERRANE_REVISION=unknown
LABEL org.opencontainers.image.title="Terrane" \
      org.opencontainers.image.description="Streams infinite procedural worlds" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.revision="$TERRANE_REVISION"
COPY --from=build /out /
COPY --from=build --chown=4150:4150 /empty /data
# as a number: so that whoever starts it sees that it is not root (runAsNonRoot)
USER 4150:4150
VOLUME /data
# It does not start without TERRANE_TLS_CERT and TERRANE_TLS_KEY, or TERRANE_INSECURE=1 where a
# proxy encrypts or its ports are published on loopback alone.
ENV PATH=/usr/local/bin TERRANE_LISTEN=0.0.0.0:4150 TERRANE_HTTP=0.0.0.0:4151 \
    TERRANE_DATA=/data TERRANE_LOG_FORMAT=json
EXPOSE 4150 4151
# Run it with --stop-timeout 35: it drains for up to 25 s, then has 5 s to write its cache; Docker's
# own 10 s would kill it before. An image can't say so itself.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 \
  CMD ["terraned", "--check-health"]
ENTRYPOINT ["terraned"]
