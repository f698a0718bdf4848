# Prometheus with the rules of deploy/monitoring, which finds the servers by DNS.
FROM debian:bookworm-slim
RUN apt-get update -q \
 && apt-get install -y -q --no-install-recommends prometheus \
 && rm -rf /var/lib/apt/lists/* && install -d -o prometheus -g prometheus /prometheus
COPY monitoring/rules.yaml monitoring/alerts.yaml replicas/prometheus.yml /etc/prometheus/
USER prometheus
VOLUME /prometheus
ENTRYPOINT ["prometheus", "--config.file=/etc/prometheus/prometheus.yml", \
            "--storage.tsdb.path=/prometheus"]
