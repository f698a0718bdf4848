#pragma once

#include <memory>

#include "access/live_access.h"
#include "admin/operations.h"
#include "net/connection_reads.h"
#include "net/proxied_clients.h"
#include "ops/metrics.h"
#include "pipeline/chunk_pipeline.h"
#include "rpc/client_rules.h"
#include "rpc/memory_watch.h"
#include "rpc/terrain_queries.h"
#include "schedule/worker_pool.h"
#include "worlds/live_catalog.h"

namespace terrane::rpc {

/// What the service works with. All of it outlives the server.
struct Backend {
  const worlds::LiveCatalog& worlds;
  pipeline::ChunkPipeline& pipeline;
  schedule::WorkerPool& workers;
  TerrainQueries terrain;
  ops::Metrics& metrics;
  ClientRules clients = {};
  double processors = 1;           // that the server may use
  bool asks_certificates = false;  // of clients: calls of those without are refused
  std::shared_ptr<access::LiveAccess> access = nullptr;  // null: nobody is asked who they are
  admin::Operations* operations = nullptr;               // for administrators; null: there are none
  bool admin_from_loopback = false;  // whether callers of this machine are administrators
  // for whom proxies have connected, where they say so; set by Server::start
  std::shared_ptr<const net::ProxiedClients> proxied = nullptr;
  // connections that can be held; set by Server::start
  std::shared_ptr<net::ConnectionReads> connections = nullptr;
  ProcessMemory memory = {};
};

}  // namespace terrane::rpc
