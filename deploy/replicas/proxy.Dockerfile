# HAProxy with the configuration of deploy/proxies; makes itself a certificate where it has none.
FROM debian:bookworm-slim
RUN apt-get update -q \
 && apt-get install -y -q --no-install-recommends haproxy openssl \
 && rm -rf /var/lib/apt/lists/* && install -d -o haproxy -g haproxy /certificate
COPY proxies/haproxy.cfg /etc/haproxy/terrane.cfg
COPY replicas/proxy-start /usr/local/bin/
USER haproxy
VOLUME /certificate
# SIGUSR2 reads certificate and configuration again; SIGUSR1 ends when nobody is served any more
STOPSIGNAL SIGUSR1
ENTRYPOINT ["proxy-start"]
