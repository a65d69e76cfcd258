import type { Site } from '../site/site.ts';
import { IS_PROCESSING } from '../site/underway.ts';
import type { Metric } from './exposition.ts';
import { quotaMetrics } from './quota-metrics.ts';
import type { CheckResult } from './readiness.ts';

/** What the metrics are read from. */
export interface MetricSources {
  site: Pick<Site, 'store' | 'traffic' | 'settings'>;
  loopDelayMs: () => number;
  /** The latest outcome of the check of free space; undefined: unknown. */
  space: CheckResult | undefined;
  droppedLogLines: () => number;
}

/** Returns the metrics of the service and its process. A figure that is not known has no sample. */
export async function serviceMetrics({ site, loopDelayMs, space, droppedLogLines }: MetricSources): Promise<Metric[]> {
  const { store, traffic } = site;
  const cpu = process.cpuUsage();
  const memory = process.memoryUsage();
  const free = space?.free_bytes;
  const count = async (sql: string) => (await store.get<{ n: number }>(sql))?.n ?? 0;
  return [
    gauge('library_requests_under_way', 'Requests whose answer has not ended.', traffic.requests),
    gauge('library_uploads_under_way', 'Uploads whose bytes are being received.', traffic.uploads),
    counter('library_uploaded_bytes_total', 'Bytes that uploads have received.', traffic.uploadedBytes),
    gauge('library_draining', 'Whether the service is about to stop (1).', traffic.phase === 'serving' ? 0 : 1),
    gauge(
      'library_files_in_processing',
      'Files whose processing has not ended.',
      await count(`SELECT count(*) AS n FROM files WHERE ${IS_PROCESSING}`),
    ),
    gauge(
      'library_files_claimed',
      'Files that the service or a worker processes at the moment.',
      await count('SELECT count(*) AS n FROM processing_claims'),
    ),
    gauge(
      'library_webhook_deliveries_pending',
      'Notifications that the webhook has not accepted yet.',
      await count('SELECT count(*) AS n FROM webhook_deliveries'),
    ),
    gauge('library_database_bytes', 'Size of the database without its log.', await databaseBytes(site)),
    ...(await quotaMetrics(site)),
    {
      name: 'library_storage_free_bytes',
      help: 'Free space on the drive of the data folder.',
      type: 'gauge',
      samples: typeof free === 'number' ? [{ value: free }] : [],
    },
    counter('library_request_log_dropped_total', 'Lines that the request log could not take.', droppedLogLines()),
    gauge(
      'library_event_loop_delay_seconds',
      'Delay of the event loop, 99th percentile of 5 to 10 s.',
      loopDelayMs() / 1000,
    ),
    {
      name: 'process_cpu_seconds_total',
      help: 'Processor time of the process.',
      type: 'counter',
      samples: [{ value: (cpu.user + cpu.system) / 1e6 }],
    },
    gauge('process_resident_memory_bytes', 'Memory of the process.', memory.rss),
    gauge('process_heap_bytes', 'Memory of the JavaScript heap in use.', memory.heapUsed),
    gauge(
      'process_start_time_seconds',
      'When the process started, in seconds since 1970.',
      performance.timeOrigin / 1000,
    ),
  ];
}

async function databaseBytes({ store }: Pick<Site, 'store'>): Promise<number> {
  return (await store.get<{ bytes: number }>(store.sizeSql))?.bytes ?? 0;
}

function gauge(name: string, help: string, value: number): Metric {
  return { name, help, type: 'gauge', samples: [{ value }] };
}

function counter(name: string, help: string, value: number): Metric {
  return { name, help, type: 'counter', samples: [{ value }] };
}
