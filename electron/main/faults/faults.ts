import type { FaultReports } from './fault-reports.ts';

/** So many faults within a minute mean that the program can't go on. */
const MOST_FAULTS = 3;
const WITHIN_MS = 60_000;

export interface FaultsOptions {
  reports: Pick<FaultReports, 'write'>;
  now(): number;
  /** Tells the user about a fault. */
  notify(): void;
  /** Ends in order, and starts again. */
  restart(): void;
}

/** Handles errors that nothing else handled: a report, one sentence, and a restart when they don't end. */
export function createFaults({ reports, now, notify, restart }: FaultsOptions): (kind: string, error: unknown) => void {
  let times: number[] = [];
  let isRestarting = false;
  return (kind, error) => {
    const at = now();
    reports.write(kind, error, at);
    times = [...times.filter((time) => at - time < WITHIN_MS), at];
    if (isRestarting) return;
    if (times.length < MOST_FAULTS) return notify();
    isRestarting = true;
    restart();
  };
}
