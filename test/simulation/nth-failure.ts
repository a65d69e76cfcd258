import type { Files } from '../../electron/engine/ports/files.ts';
import { appError } from '../../shared/contract/app-error.ts';
import { checkHistory } from './checker/check-history.ts';
import type { History } from './history.ts';
import { type Scenario, scenarioOf } from './scenario.ts';
import { simulate } from './simulate.ts';
import { NO_TAMPER, StoreFailure, type Tamper } from './world/tamper.ts';
import type { World } from './world/world.ts';

/** The kinds of faults: where each occurs, and its error. */
export const FAULTS = {
  'store-full': { at: 'store-write', error: () => new StoreFailure(13, 'database or disk is full') },
  'store-locked': { at: 'store-write', error: () => new StoreFailure(5, 'database is locked') },
  'store-write-error': { at: 'store-write', error: () => new StoreFailure(10, 'disk I/O error') },
  'store-read-error': { at: 'store-read', error: () => new StoreFailure(10, 'disk I/O error') },
  'file-unreadable': { at: 'file', error: () => appError('file.unreadable', { details: { reason: 'EIO' } }) },
  'too-many-files': { at: 'file', error: () => appError('file.too-many-open', { details: { reason: 'EMFILE' } }) },
  'drive-gone': { at: 'file', error: () => appError('file.missing', { details: { reason: 'ENOENT' } }) },
  'request-not-sent': {
    at: 'request',
    error: () => appError('network.unreachable', { details: { outcome: 'not-sent', reason: 'ECONNREFUSED' } }),
  },
  'server-error': {
    at: 'request',
    error: () => appError('api.server-error', { details: { outcome: 'refused', status: 500 } }),
  },
  'transfer-cut': { at: 'transfer', error: () => appError('upload.connection-lost', { details: { sentBytes: 0 } }) },
} as const;

export type FaultKind = keyof typeof FAULTS;
type Place = (typeof FAULTS)[FaultKind]['at'];

/** `once`: only the Nth time. `until-healed`: from the Nth time on, for an hour. */
export type FaultMode = 'once' | 'until-healed';

export interface NthReport {
  wasHit: boolean;
  broken: string[];
  /** The reasons that the queue reported while idle, in order, each change once; null while it was not idle. */
  reasons: (string | null)[];
}

const HEALED_AFTER_MS = 60 * 60_000;
const UPLOADS = 3;

/**
 * Uploads three files in a world in which only the Nth effect of a kind fails. Returns whether the run reached that
 * effect, and the violations: every upload must be complete in the end, once and with the right bytes, after the user
 * has retried failed ones.
 */
export async function failNth(kind: FaultKind, nth: number, mode: FaultMode): Promise<NthReport> {
  const scenario = calmScenario();
  let count = 0;
  let hitAtMs: number | null = null;
  let world: World | null = null;
  const fails = (place: Place): boolean => {
    // The user can repeat a failed addition, so the fault begins only after it.
    if (FAULTS[kind].at !== place || world === null) return false;
    const { elapsedMs } = world.time;
    const added = world.history.rows.filter(({ event }) => event === 'added').length;
    if (added < UPLOADS || elapsedMs >= scenario.calmAtMs) return false;
    if (hitAtMs !== null) return mode === 'until-healed' && elapsedMs < hitAtMs + HEALED_AFTER_MS;
    count += 1;
    if (count < nth) return false;
    hitAtMs = elapsedMs;
    return true;
  };
  const history = await simulate(scenario, (made) => {
    world = made;
    return tamperWith(fails, FAULTS[kind].error);
  });
  const isStore = FAULTS[kind].at.startsWith('store');
  const isStandstill = mode === 'until-healed' && (isStore || kind === 'request-not-sent');
  const shown = history.shown.map(({ totals }) => totals.blockedBy?.code ?? null);
  const reasons = shown.filter((code, index) => index === 0 || code !== shown[index - 1]);
  return {
    wasHit: hitAtMs !== null,
    reasons,
    broken: [...violations(history, { isStandstill, isStore }), ...incomplete(history)],
  };
}

/** Three uploads, one of them with captions and published; at the end of the day the user retries failed ones. */
function calmScenario(): Scenario {
  const scenario = scenarioOf(1);
  const retryAtMs = HEALED_AFTER_MS + 30 * 60_000;
  return {
    ...scenario,
    parallelTransfers: 2,
    timerLateMs: 20,
    calmAtMs: retryAtMs + 60_000,
    service: {
      ...scenario.service,
      postprocess: true,
      takesBytesTwice: false,
      mayDeleteFiles: true,
      mayDeleteItems: true,
      noticesAfterMs: 0,
      clockAheadMs: 0,
      processingMs: 3000,
    },
    uploads: Array.from({ length: UPLOADS }, (_, index) => ({
      site: 's1',
      name: `lecture ${index}.mp4`,
      sizeBytes: 3_000_000 + index,
      addAtMs: 100,
      publish: { kind: index === 0 ? 'now' : 'draft' },
      sidecars: index === 0 ? ['srt'] : [],
    })),
    faults: [],
    events: [{ kind: 'retry-failed', atMs: retryAtMs, upload: 0, amount: 0 }],
  };
}

function tamperWith(fails: (place: Place) => boolean, error: () => Error): Tamper {
  const orFail = <T>(place: Place, effect: () => T): T => {
    if (fails(place)) throw error();
    return effect();
  };
  const orReject = async <T>(place: Place, effect: () => Promise<T>): Promise<T> => orFail(place, effect);
  const failing = (files: Files): Files => ({
    ...files,
    facts: (path) => orReject('file', () => files.facts(path)),
    open: (path) => orReject('file', () => files.open(path)),
    within: (root) => failing(files.within(root)),
  });
  return {
    ...NO_TAMPER,
    database: (database) => ({
      ...database,
      transaction: (work) => orFail('store-write', () => database.transaction(work)),
      prepare(sql) {
        const statement = database.prepare(sql);
        return {
          run: (parameters) => orFail('store-write', () => statement.run(parameters)),
          get: (parameters) => orFail('store-read', () => statement.get(parameters)),
          all: (parameters) => orFail('store-read', () => statement.all(parameters)),
        };
      },
    }),
    files: (files) => failing(files),
    client: (client) => ({
      ...client,
      request: (request) => orReject('request', () => client.request(request)),
      get: (target, query, signal) => orReject('request', () => client.get(target, query, signal)),
      read: (schema, target, query, signal) => orReject('request', () => client.read(schema, target, query, signal)),
    }),
    sender: (sendForm) => (options) => orReject('transfer', () => sendForm(options)),
  };
}

/** Rules that a failure of all uploads at once violates, because it is not among the faults of the scenario. */
const OF_A_STANDSTILL = new Set(['noStarvation', 'gatesAreClosedWithReason']);

/**
 * An upload that was due while no upload could start (the database or the site failed) does not count as starved; and an upload
 * whose start could not be stored may be overtaken by the next.
 */
function violations(
  history: History,
  { isStandstill, isStore }: { isStandstill: boolean; isStore: boolean },
): string[] {
  return checkHistory(history)
    .filter(({ rule }) => !(isStandstill && OF_A_STANDSTILL.has(rule)) && !(isStore && rule === 'orderIsKept'))
    .map(({ rule, text }) => `${rule}: ${text}`);
}

function incomplete({ final }: History): string[] {
  const open = final.rows.filter(({ state }) => state !== 'complete');
  const told = open.map(({ fileName, state, error }) => `${fileName} is ${state} (${error?.code ?? 'no error'})`);
  return final.rows.length === UPLOADS ? told : [...told, `there are ${final.rows.length} rows`];
}
