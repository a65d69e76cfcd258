import { forgetOperations, recordOperations } from '../site/data-dir.ts';
import type { RequestObserver } from '../site/observer.ts';
import type { Log, Site } from '../site/site.ts';
import { logRecord } from '../site/standard-output.ts';
import { exportAudit } from './audit-export.ts';
import { databaseCheck, spaceCheck, storageCheck, watchLoopDelay } from './checks.ts';
import { exposition } from './exposition.ts';
import { createSnapshotHolder } from './held-snapshot.ts';
import { answerCommand, type LocalCommand } from './local-command.ts';
import type { OperateOptions } from './operate-options.ts';
import { listenForOperations } from './operations-listener.ts';
import { createReadiness } from './readiness.ts';
import { openRequestLog, printRequestLog, type RequestLog } from './request-log.ts';
import { createRequestMetrics } from './request-metrics.ts';
import { serviceMetrics } from './service-metrics.ts';

/** A check that takes longer has failed. */
const CHECK_LIMIT_MS = 2000;
const CACHE_MS = 1000;

/** What is there for an operator, as far as it was asked for. */
export interface Operations {
  /** Called for each request; undefined when nothing here needs it. */
  observe: RequestObserver | undefined;
  /** Whether every answer has an `X-Request-Id`. */
  givesIds: boolean;
  /** Listens if that was asked for; returns the fields of the printed line. `commands`: what the command at each path does. */
  listen(
    site: Site,
    dir: { path: string; token: string },
    commands: ReadonlyMap<string, LocalCommand>,
  ): Promise<{ operations_url?: string }>;
  /** Opens the file of the request log again. */
  reopenLog(): void;
  close(): Promise<void>;
}

/** Creates what the options ask for. A request log that can't be written is reported to `log`. */
export function createOperations({ operations, requestLog, reserveBytes }: OperateOptions, log: Log): Operations {
  const lines = requestLog === undefined ? undefined : openLog(requestLog, log);
  const requests = operations === undefined ? undefined : createRequestMetrics();
  const closers: (() => void | Promise<void>)[] = [];

  return {
    observe:
      lines === undefined && requests === undefined
        ? undefined
        : (facts) => {
            requests?.observe(facts);
            lines?.observe(facts);
          },
    givesIds: lines !== undefined,
    async listen(site, dir, commands) {
      if (operations === undefined || requests === undefined) return {};
      const loop = watchLoopDelay();
      closers.push(() => loop.stop());
      const now = () => performance.now();
      const readiness = createReadiness({
        checks: {
          database: databaseCheck(site.store, now),
          storage: storageCheck(site.blobs),
          free_space: spaceCheck(site.scratch, reserveBytes),
          event_loop: loop.check,
        },
        isDraining: () => site.traffic.phase !== 'serving',
        limitMs: CHECK_LIMIT_MS,
        cacheMs: CACHE_MS,
        now,
      });
      const holder = createSnapshotHolder(site, dir.token, log);
      const listener = await listenForOperations(operations, {
        snapshot: holder.answer,
        command(path) {
          const command = commands.get(path);
          return command && ((request, response) => answerCommand(command, dir.token, request, response));
        },
        audit: (request, response) => exportAudit(site.store, dir.token, request, response),
        readiness: readiness.report,
        async metrics() {
          const { checks } = await readiness.report();
          const own = await serviceMetrics({
            site,
            loopDelayMs: loop.p99Ms,
            space: checks.free_space,
            droppedLogLines: () => lines?.dropped() ?? 0,
          });
          return exposition([...own, ...requests.metrics()]);
        },
      });
      recordOperations(dir.path, listener.url);
      closers.push(async () => {
        forgetOperations(dir.path);
        await listener.close();
        await holder.close();
      });
      return { operations_url: listener.url };
    },
    reopenLog: () => lines?.reopen(),
    async close() {
      await Promise.all(closers.map((close) => close()));
      await lines?.close();
    },
  };
}

function openLog(target: string, log: Log): RequestLog {
  if (target === '-') return printRequestLog(logRecord);
  return openRequestLog(target, (code) => log('the request log can not be written', { code }));
}
