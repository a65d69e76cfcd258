import { POLL_EVERY_MS } from '../../../electron/engine/uploads/delivery/completions.ts';
import { isOfGateway } from '../../../shared/contract/errors/error-catalog.ts';
import { MAX_RETRIES, retryDelayMs } from '../../../shared/model/backoff.ts';
import type { Upload } from '../../../shared/model/uploads/upload.ts';
import type { History, RowFact } from '../history.ts';

/**
 * While a server in front of the library answers for it, its uploads wait without using a retry. Only a request just before the end
 * of an outage may use one: the probe after it is answered again. So may one in an outage that follows soon.
 */
export function outagesUseNoRetries({ scenario, rows }: History): string[] {
  const outages = scenario.faults.filter(({ kind }) => kind === 'gateway').length;
  // With other errors of the library, a probe can get one of these instead of the answer of an outage.
  const hasOthers =
    scenario.service.errsOnce === true || scenario.faults.some(({ kind }) => kind.startsWith('faults-'));
  if (outages === 0 || hasOthers) return [];
  const used = new Map<string, number>();
  const known = new Map<string, number>();
  return rows.flatMap(({ row, atMs }) => {
    const added = row.retries - (known.get(row.id) ?? 0);
    known.set(row.id, row.retries);
    if (added <= 0 || row.error === null || !isOfGateway(row.error)) return [];
    const sum = (used.get(row.id) ?? 0) + added;
    used.set(row.id, sum);
    return sum > 2 * outages ? [`at ${atMs}: ${row.id} counts an outage of the library as its own failure`] : [];
  });
}

/**
 * The API's backoff to the millisecond: 5·2^n s, at most 14 consecutive times for one request, at least as long as the service
 * requested, and never early.
 */
export function exactSchedule({ rows }: History): string[] {
  const problems: string[] = [];
  const last = new Map<string, RowFact>();
  for (const fact of rows) {
    const { event, row, wallMs, atMs } = fact;
    const before = last.get(row.id)?.row;
    for (const [step, { count }] of Object.entries(row.retriesByStep)) {
      if (count > MAX_RETRIES) problems.push(`at ${atMs}: ${row.id} is at its ${count}th retry of ${step}`);
    }
    const isRetry = event === 'delayed' && before && row.state === 'waiting' && row.retries > before.retries;
    if (isRetry && !isExactWait(before, fact)) {
      problems.push(`at ${atMs}: ${row.id} waits ${(row.nextAttemptAt ?? 0) - wallMs} ms`);
    }
    if (event === 'started' && before?.state === 'waiting' && wallMs < (before.nextAttemptAt ?? 0)) {
      problems.push(`at ${atMs}: ${row.id} began before its time`);
    }
    last.set(row.id, fact);
  }
  return problems;
}

/** Returns whether an upload waits as long as the count of the failed step demands, or as the service requested. */
function isExactWait(before: Upload, { row, wallMs }: RowFact): boolean {
  const delay = (row.nextAttemptAt ?? 0) - wallMs;
  const known = new Set(Object.entries(before.retriesByStep).map((each) => JSON.stringify(each)));
  const failed = Object.entries(row.retriesByStep).find((each) => !known.has(JSON.stringify(each)));
  const least = failed === undefined ? null : retryDelayMs(failed[1].count);
  if (least === null) return false;
  if (delay === Math.max(least, Number(row.error?.details?.retryAfterMs ?? 0))) return true;
  // If the service must be notified, the status of the file is polled before the notification.
  const isPoll = row.sentAt !== null && row.finishedAt === null && delay < least;
  return isPoll && delay >= POLL_EVERY_MS;
}

/** Codes of refusals after which a request may be repeated: a notification, or a file that was abandoned after one. */
const NOT_FINAL = new Set(['upload.not-received', 'upload.completion-refused']);
/** All writes of a site respect the `Retry-After` of a maintenance, if maintenance is the only problem. */
export function retryAfterIsKept({ scenario, requests }: History): string[] {
  const { retryAfterS = 0 } = scenario.service;
  if (retryAfterS === 0 || scenario.faults.some(({ kind }) => kind !== 'maintenance')) return [];
  return requests.flatMap(({ toMs, site, life, result }) => {
    if (result !== 'api.read-only 503' || toMs === null) return [];
    const early = requests.find(
      (each) =>
        each.site === site &&
        each.life === life &&
        each.method !== 'GET' &&
        each.fromMs > toMs &&
        each.fromMs < toMs + retryAfterS * 1000,
    );
    return early === undefined ? [] : [`at ${early.fromMs}: a write ${early.fromMs - toMs} ms after ${toMs}`];
  });
}

const FINAL_STATUSES = new Set([400, 403, 409, 413, 422]);

/** A permanently refused request is not sent again. */
export function refusalsAreNotRetried({ rows }: History): string[] {
  return rows.flatMap(({ event, row, atMs }) => {
    const status = row.error?.details?.status;
    if (event !== 'delayed' || row.state !== 'waiting' || NOT_FINAL.has(row.error?.code ?? '')) return [];
    return FINAL_STATUSES.has(Number(status)) ? [`at ${atMs}: ${row.id} waits to repeat what ${status} refused`] : [];
  });
}

/** How many requests a site may get during a maintenance: a few in quick succession, then one a minute. */
const FIRST_TRIES = 8;
const LATER_TRY_EVERY_MS = 50_000;

/** During a maintenance a site gets few requests from all uploads together. */
export function maintenanceIsLeftAlone({ scenario, requests, lives, commands }: History): string[] {
  return scenario.faults.flatMap(({ kind, site, fromMs, toMs }) => {
    if (kind !== 'maintenance') return [];
    const inside = (atMs: number) => atMs >= fromMs && atMs < toMs;
    const starts =
      1 +
      lives.filter((life) => inside(life.fromMs)).length +
      commands.filter(({ atMs }) => inside(atMs)).length +
      scenario.events.filter((each) => each.kind === 'clock-jump' && inside(each.atMs)).length;
    const rounds = starts * FIRST_TRIES + (toMs - fromMs) / LATER_TRY_EVERY_MS;
    const sites = new Set(scenario.uploads.map((upload) => upload.site));
    return [...sites].flatMap((each) => {
      if (site !== null && site !== each) return [];
      const refused = requests.filter(
        (request) => request.site === each && inside(request.fromMs) && request.result === 'api.read-only 503',
      ).length;
      const most = Math.ceil(rounds * scenario.parallelTransfers);
      return refused > most ? [`${refused} writes to ${each} in maintenance, at most ${most} expected`] : [];
    });
  });
}

/** No upload fails because of the account: a missing token is not an error of the upload. */
export function accountFaultFailsNothing({ rows }: History): string[] {
  return rows.flatMap(({ event, row, atMs }) => {
    const failed = row.followUps.find(({ state }) => state === 'failed')?.error ?? null;
    const error = event === 'failed' ? row.error : event === 'follow-up-failed' ? failed : null;
    return /^(keychain|sign-in)\./.test(error?.code ?? '') ? [`at ${atMs}: ${row.id} failed: ${error?.code}`] : [];
  });
}

/** A transfer on hold because of a limit of 0 does not stall, and uses no retry. */
export function stallsHaveAReason({ rows, scenario }: History): string[] {
  if (scenario.faults.some(({ kind }) => kind === 'transfers-stall')) return [];
  const codes = ({ row }: RowFact) => [row.error?.code, ...row.followUps.map(({ error }) => error?.code)];
  return rows.flatMap((fact) =>
    codes(fact).includes('upload.stalled') ? [`at ${fact.atMs}: ${fact.row.id} stalled, and nothing stood still`] : [],
  );
}

/** A site's breaker opens only for errors of the whole site, never for errors of one destination or file. */
export function gatesAreClosedWithReason({ shown, scenario }: History): string[] {
  return shown.flatMap(({ totals, atMs }) => {
    const code = totals.blockedBy?.code ?? '';
    const hasFault = scenario.faults.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs + GATE_OPENS_WITHIN_MS);
    return code.startsWith('network.') && !hasFault ? [`at ${atMs}: nothing is wrong and all wait for ${code}`] : [];
  });
}

/** After one of these events, a wait can be intended by the user, or have a cause that the history does not show. */
const STANDSTILLS = new Set([
  ...['pause-all', 'power-cut', 'pause-until', 'limit'],
  ...['sleep', 'queue-paused', 'share-hangs', 'unplugged', 'mounted-elsewhere', 'other-drive', 'root-renamed'],
]);

const GATE_OPENS_WITHIN_MS = 120_000;

/** Longer than any breaker stays open, and longer than any timer is late, after its reason has ended. */
const PATIENCE_MS = 150_000;

/**
 * No needless wait: an upload that is due starts, unless all slots are in use, the user holds it, or its site has a
 * problem. Waits are measured in real time, so a clock that is set back does not extend them.
 */
export function noStarvation(history: History): string[] {
  const { rows, scenario, commands, lives, final } = history;
  const problems: string[] = [];
  // A power cut removes events from the history, so an apparent wait may not have been one.
  if (commands.some(({ kind }) => STANDSTILLS.has(kind))) return problems;
  const slots = takenSlots(history);
  const facts = new Map<string, RowFact[]>();
  for (const fact of rows) facts.set(fact.row.id, [...(facts.get(fact.row.id) ?? []), fact]);
  for (const list of facts.values()) {
    for (const [index, { row, atMs, wallMs }] of list.entries()) {
      if (row.state !== 'queued' && row.state !== 'waiting') continue;
      const dueMs = atMs + Math.max(0, (row.nextAttemptAt ?? wallMs) - wallMs);
      const endMs = list[index + 1]?.atMs ?? final.atMs;
      if (endMs - dueMs < PATIENCE_MS) continue;
      const faults = scenario.faults.filter(({ site }) => site === null || site === row.siteId);
      const busy = [
        // A refusal at the end of a failure may request a wait beyond it.
        ...faults.map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs + (scenario.service.retryAfterS ?? 0) * 1000 })),
        ...slots,
        ...lives.map(({ fromMs, toMs }) => ({
          fromMs: (toMs ?? fromMs) - 1,
          toMs: toMs === null ? fromMs : toMs + 60_000,
        })),
      ];
      const idle = longestGap(dueMs, endMs, busy);
      if (idle > PATIENCE_MS) problems.push(`${row.id} was due at ${dueMs} and ${idle} ms passed for nothing`);
    }
  }
  return problems;
}

interface Span {
  fromMs: number;
  toMs: number;
}

/** Returns the spans of time in which all slots were in use. */
function takenSlots({ rows, scenario, final }: History): Span[] {
  const taken = new Set<string>();
  const spans: Span[] = [];
  let fullSinceMs: number | null = null;
  for (const { row, atMs } of rows) {
    // A paused upload can still complete its step, so it counts until its next event.
    if (['preparing', 'sending', 'finishing'].includes(row.state)) taken.add(row.id);
    else if (row.state !== 'paused') taken.delete(row.id);
    const full = taken.size >= scenario.parallelTransfers;
    if (full) fullSinceMs ??= atMs;
    else if (fullSinceMs !== null) {
      spans.push({ fromMs: fullSinceMs, toMs: atMs });
      fullSinceMs = null;
    }
  }
  if (fullSinceMs !== null) spans.push({ fromMs: fullSinceMs, toMs: final.atMs });
  return spans;
}

/** Returns the maximum time between two instants that no span covers. */
function longestGap(fromMs: number, toMs: number, spans: readonly Span[]): number {
  let longest = 0;
  let at = fromMs;
  for (const span of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    longest = Math.max(longest, Math.min(span.fromMs, toMs) - at);
    at = Math.max(at, span.toMs);
  }
  return Math.max(longest, toMs - at);
}
