// What the dashboard shows, row by row: [title, unit, {legend: expression}, what it means].
// S stands for the servers chosen, R for the span of rates.
const p = (q, metric, by) =>
  `histogram_quantile(${q}, sum by (le${by ? `, ${by}` : ''}) (rate(${metric}_bucket{S}[R])))`;
const rate = (metric, by = 'instance', match = '') =>
  `sum by (${by}) (rate(${metric}{S${match && `,${match}`}}[R]))`;
const sum = (metric, by = 'instance', match = '') =>
  `sum by (${by}) (${metric}{S${match && `,${match}`}})`;

export const rows = {
  'Players, and what is underfoot': [
    ['Players', 'short', { '{{instance}}': sum('terrane_open_calls', 'instance', 'rpc="Explore"') },
      'Explore streams: one for each viewer.'],
    ['Ground underfoot within a quarter of a second', 'percentunit',
      { '{{instance}}': 'instance:terrane_underfoot_in_time:ratio_rate5m{S}' },
      'Of the times that a viewer had none, after a jump above all. The alert is at 95 %.'],
    ['Wait for the chunk underfoot', 's', {
      'p50 {{instance}}': p(0.5, 'terrane_underfoot_seconds', 'instance'),
      'p99 {{instance}}': p(0.99, 'terrane_underfoot_seconds', 'instance'),
    }, 'Read from buckets, so a little coarse.'],
    ['Wait for a worker, p99', 's',
      { '{{priority}}': p(0.99, 'terrane_queue_wait_seconds', 'priority') }],
  ],
  Traffic: [
    ['Chunks sent', 'cps', { '{{instance}}': rate('terrane_sent_chunks_total') }],
    ['Bytes of chunks sent', 'Bps', { '{{clients}}': rate('terrane_sent_chunk_bytes_total',
      'clients') }, 'To clients with more shares than one, and to strangers.'],
    ['Calls that ended', 'reqps', { '{{rpc}} {{code}}':
      `${rate('terrane_requests_total', 'rpc, code', 'rpc!~"Check|Watch"')} > 0` }],
    ['Calls in progress', 'short', { '{{rpc}}': `${sum('terrane_open_calls', 'rpc')} > 0` }],
  ],
  Generation: [
    ['Workers busy', 'percentunit', { '{{instance}}': 'rate(terrane_work_seconds_total{S}[R]) '
      + '/ terrane_workers{S}' }, 'The alert is at 90 %, for a quarter of an hour.'],
    ['Chunks generated', 'cps',
      { '{{instance}}': rate('terrane_chunks_total', 'instance', 'origin="generated"') }],
    ['Time to generate, by world and level', 's', {
      '{{world}} {{lod}}': 'sum by (world, lod) (rate(terrane_generation_seconds_sum{S}[R])) '
        + '/ (sum by (world, lod) (rate(terrane_generation_seconds_count{S}[R])) > 0)' },
      'The mean: what one chunk costs a worker.'],
    ['Jobs that wait', 'short', { '{{priority}}': sum('terrane_queue_jobs', 'priority') }],
    ['Work in vain', 'cps', { stopped: rate('terrane_generations_stopped_total', 'job'),
      'made, then not wanted': rate('terrane_dropped_chunks_total', 'job'),
      'cancelled {{stage}}': rate('terrane_cancelled_total', 'stage') }],
    ['Failures', 'cps', { generator: rate('terrane_generator_failures_total', 'job'),
      workers: rate('terrane_worker_failures_total', 'job') }, 'Never more than 0.'],
  ],
  Cache: [
    ['Where chunks come from', 'cps', { '{{origin}}': rate('terrane_chunks_total', 'origin') }],
    ['At hand, in memory or on disk', 'percentunit',
      { '{{instance}}': 'instance:terrane_chunks_at_hand:ratio_rate5m{S}' }],
    ['Disk used', 'percentunit', { '{{instance}}': 'terrane_cache_fill_ratio{S}' },
      'Full is normal: what was not used lately goes.'],
    ['Chunks on disk, by world', 'short', {
      '{{world}}': 'max by (world) (sum by (instance, world) (terrane_cache_world_entries{S}))',
      'of no world on offer': sum('terrane_cache_stale_entries', 'job') },
      'What is of no world on offer, as after an upgrade, goes first.'],
    ['Written and evicted', 'cps', { written: rate('terrane_cache_puts_total', 'job'),
      evicted: rate('terrane_cache_evictions_total', 'job'),
      'not kept': rate('terrane_cache_dropped_puts_total', 'job') }],
    ['Time of a commit', 's', { '{{instance}}': 'rate(terrane_cache_commit_seconds_total{S}[R]) '
      + '/ (rate(terrane_cache_commits_total{S}[R]) > 0)' }],
    ['Usable, checked', 'percentunit', { 'usable {{instance}}': 'terrane_cache_usable{S}',
      'checked {{instance}}': 'terrane_cache_checked_ratio{S}' }],
  ],
  'Memory and descriptors': [
    ['Memory', 'bytes', { 'not to be taken back {{instance}}': 'terrane_memory_anonymous_bytes{S}',
      'all {{instance}}': 'process_resident_memory_bytes{S}' },
      'The difference is pages of the mapped cache, mostly.'],
    ['Held for', 'bytes', { 'memory cache': sum('terrane_memory_cache_bytes', 'job'),
      'Explore streams': sum('terrane_stream_memory_bytes', 'job'),
      'other calls': sum('terrane_call_memory_bytes', 'job') }],
    ['Share of the limit', 'percentunit',
      { '{{instance}}': 'instance:terrane_memory_used:ratio{S}' }],
    ['Descriptors', 'percentunit',
      { '{{instance}}': 'process_open_fds{S} / process_max_fds{S}' }],
  ],
  'Fairness and refusals': [
    ['Who costs most, in processors', 'short',
      { '{{client}}': 'topk(10, sum by (client) (terrane_client_processors{S}))' }],
    ['For whom workers work, in processors', 'short', {
      'more shares than one': rate('terrane_weighted_work_seconds_total', 'job'),
      all: rate('terrane_work_seconds_total', 'job') }],
    ['Calls refused', 'reqps', { '{{reason}}, {{clients}}':
      `topk(8, ${rate('terrane_calls_refused_total', 'reason, clients')})` },
      'Each reason has a line a minute in the log, with the latest of them.'],
    ['Chunks refused', 'cps', { '{{reason}}': rate('terrane_shed_total', 'reason') }],
    ['Streams cut off', 'cps', { '{{reason}}': rate('terrane_streams_cut_off_total', 'reason') }],
    ['Calls that wait for their turn', 'short', { '{{instance}}': 'terrane_waiting_calls{S}' }],
  ],
  Connections: [
    ['Open', 'short', { '{{port}} {{instance}}': 'terrane_open_connections{S}' }],
    ['Accepted', 'cps', { '{{port}}': rate('terrane_connections_accepted_total', 'port') }],
    ['Turned away', 'cps', { '{{port}} {{reason}}':
      rate('terrane_connections_refused_total', 'port, reason') }],
    ['Clients sent away', 'cps', { '{{port}}': rate('terrane_clients_sent_away_total', 'port') }],
  ],
  'Certificates, tokens, world files': [
    ['Certificate ends in', 's',
      { '{{instance}}': 'terrane_certificate_expiry_timestamp_seconds{S} - time()' },
      'Empty without TLS.'],
    ['Changed files', 'short', {
      'certificate {{result}}':
        'sum by (result) (increase(terrane_certificate_changes_total{S}[1h]))',
      'tokens {{result}}': 'sum by (result) (increase(terrane_access_changes_total{S}[1h]))' },
      'Of the last hour. Empty without TLS or tokens.'],
    ['Callers refused', 'cps', { '{{reason}}': rate('terrane_identities_refused_total', 'reason') },
      'Empty without tokens.'],
    ['World files refused', 'short', { '{{instance}}': 'terrane_world_files_refused{S}' }],
  ],
  HTTP: [
    ['Answers', 'reqps', { '{{code}}': `${rate('terrane_http_requests_total', 'code')} > 0` }],
    ['Bytes sent', 'Bps', { '{{instance}}': rate('terrane_http_sent_bytes_total') }],
    ['Until the answer is there, p99', 's',
      { '{{kind}}': p(0.99, 'terrane_http_request_seconds', 'kind') },
      'From the request on, its turn included.'],
    ['Connections', 'short', { '{{instance}}': 'terrane_http_open_connections{S}' }],
    ['Closed by the server', 'cps',
      { '{{reason}}': rate('terrane_http_connections_closed_total', 'reason') }],
  ],
};
