import { mayAsk } from '../../../electron/engine/uploads/delivery/planner.ts';
import type { History, RowFact } from '../history.ts';

/** The maximum time until the last step of an upload that returned to the queue has ended. */
const STEP_ENDS_WITHIN_MS = 120_000;

/** The maximum time for which the breaker of a site stays open after its maintenance. */
const GATE_OPENS_WITHIN_MS = 65_000;

/**
 * Uploads of one site start in queue order. An upload may be overtaken while it is not ready: a step of it is in
 * flight, or the remains of its cancelled attempt are being removed, or its start could not be stored just before, or,
 * during a maintenance, its next step has to wait although that of another upload may begin.
 */
export function orderIsKept({ overtakings, rows, scenario }: History): string[] {
  const fullSpans = scenario.faults.filter(({ kind }) => kind === 'store-full');
  const couldNotBeWritten = (atMs: number) =>
    fullSpans.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs + STEP_ENDS_WITHIN_MS);
  const maintenances = scenario.faults.filter(({ kind }) => kind === 'maintenance');
  // A refusal at the end of the maintenance may request a wait beyond it.
  const opensWithinMs = (scenario.service.retryAfterS ?? 0) * 1000 + GATE_OPENS_WITHIN_MS;
  const inMaintenance = (site: string, atMs: number) =>
    maintenances.some(
      (each) => (each.site === null || each.site === site) && each.fromMs <= atMs && atMs < each.toMs + opensWithinMs,
    );
  return overtakings.flatMap(({ atMs, afterRows, id, overtaken, lost }) =>
    overtaken.flatMap((other) => {
      const facts = [...rows.slice(0, afterRows), ...lost].filter((fact) => fact.row.id === other);
      const wasCancelled = facts.some(({ event }) => event === 'cancelled' || event === 'retried');
      const idleForMs = atMs - (facts.at(-1)?.atMs ?? atMs);
      const isFresh = facts.length > 1 && idleForMs < STEP_ENDS_WITHIN_MS;
      const last = facts.at(-1);
      const hasToWait = last !== undefined && inMaintenance(last.row.siteId, atMs) && !mayAsk(last.row, last.wallMs);
      return wasCancelled || isFresh || couldNotBeWritten(atMs) || hasToWait
        ? []
        : [`at ${atMs}: ${id} began before ${other}, which stood before it`];
    }),
  );
}

/** Until the end of a pause, by this computer's clock, no upload starts, whatever else happens. */
export function pausesAreKept({ rows, pauses }: History): string[] {
  const begun = rows.flatMap((fact: RowFact, index) => (fact.event === 'started' ? [{ fact, index }] : []));
  return begun.flatMap(({ fact, index }) => {
    const until = pauses.findLast(({ afterRows }) => afterRows <= index)?.untilWallMs ?? null;
    if (until === null || fact.wallMs >= until) return [];
    return [`at ${fact.atMs}: ${fact.row.id} began ${until - fact.wallMs} ms before the pause was over`];
  });
}
