# docker build -t terrane .        (or: docker compose -f deploy/compose.yaml up)
FROM debian:bookworm-slim AS build
# --build-arg TERRANE_VIEWER=OFF: without the viewer, for which npm fetches some packages
ARG TERRANE_VIEWER=ON
COPY deploy/install-deps /src/deploy/
RUN TERRANE_VIEWER=$TERRANE_VIEWER /src/deploy/install-deps && rm -rf /var/lib/apt/lists/*
COPY CMakeLists.txt CMakePresets.json /src/
COPY deploy/build /src/deploy/
COPY deploy/cmake /src/deploy/cmake
COPY proto /src/proto
COPY server /src/server
COPY client-sdk /src/client-sdk
RUN TERRANE_VIEWER=$TERRANE_VIEWER /src/deploy/build release OFF terraned terrane \
 && install -D -s -t /out/usr/local/bin \
      /src/build/release/server/terraned /src/build/release/client-sdk/cli/terrane

FROM debian:bookworm-slim
COPY deploy/install-deps /tmp/install-deps
RUN /tmp/install-deps --runtime && rm -rf /tmp/install-deps /var/lib/apt/lists/* \
 && useradd --system --uid 4150 --user-group --no-create-home --home-dir /data terrane \
 && install -d -o terrane -g terrane /data
COPY --from=build /out /
USER terrane
VOLUME /data
# It does not start without TERRANE_TLS_CERT and TERRANE_TLS_KEY, or TERRANE_INSECURE=1 where a
# proxy encrypts or its ports are published on loopback alone.
ENV TERRANE_LISTEN=0.0.0.0:4150 TERRANE_HTTP=0.0.0.0:4151 TERRANE_DATA=/data TERRANE_LOG_FORMAT=json
EXPOSE 4150 4151
# Run it with --stop-timeout 35: it drains for up to 25 s, then has 5 s to write its cache; Docker's
# own 10 s would kill it before. An image can't say so itself.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 \
  CMD ["terraned", "--check-health"]
ENTRYPOINT ["terraned"]
