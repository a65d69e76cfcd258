import type { DuplicateChoice, PublishChoice, SourceChoice } from '../../shared/contract/upload-choices.ts';
import { Prng } from '../helpers/data/prng.ts';
import type { StationPlan } from './station/plan.ts';

/** All events and faults of one run as plain data: it can be stored, read and reduced. Times are in milliseconds. */
export interface Scenario {
  seed: number;
  parallelTransfers: number;
  /** The largest delay of a timer. */
  timerLateMs: number;
  /** The time at which faults and events end; after it, everything must end. */
  calmAtMs: number;
  service: ServiceTraits;
  uploads: PlannedUpload[];
  faults: Fault[];
  events: ScenarioEvent[];
  /** The time until which the folder for uploaded files is missing. */
  folderBackAtMs?: number;
  /** The time until which there is no trash. */
  trashFromMs?: number;
  /** The maximum response time of the disk; hashing takes several times that. 0 or absent: none. */
  diskMs?: number;
  /** The permanent result of reading a sidecar. */
  sidecarDisk?: 'sound' | 'file.disk-hangs' | 'file.disk-error';
  /** Whether closing a file on a share never completes. */
  closingHangs?: boolean;
  /** The advance of the clock at each read: two consecutive reads can differ. */
  clockMoves?: number;
  /** Whether a transfer without bandwidth that is not on hold is aborted, as real transfers are. */
  stallsWithoutShare?: boolean;
  /** The uploads come from a watched folder, and `uploads` and `events` are empty. */
  station?: StationPlan;
}

/** Behavior that the API does not specify. */
export interface ServiceTraits {
  postprocess: boolean;
  /** Whether a destination accepts bytes again after a complete upload. */
  takesBytesTwice: boolean;
  /** What the 30 minutes after which a placeholder is abandoned count from: the last byte, or the creation. */
  abandonsSince: 'movement' | 'creation';
  /** Placeholders are never abandoned. */
  neverAbandons?: boolean;
  pageSize: number;
  mayDeleteFiles: boolean;
  mayDeleteItems: boolean;
  /** How a missing permission is reported. */
  lackingStatus: 403 | 404;
  /** Without a notification: the time until the service detects delivered bytes. */
  noticesAfterMs: number;
  /** The time by which the service's clock is ahead, in milliseconds. */
  clockAheadMs: number;
  processingMs: number;
  /** How the list of items contains their files. */
  joins?: 'array' | 'envelope' | 'none';
  /** The tags of a creation are lost. */
  losesTags?: boolean;
  /** The time for a megabyte; absent: transfers take no time, whatever the size of a file. */
  megabyteMs?: number;
  /** Captions and thumbnails have a separate destination host, which is unreachable or untrusted. */
  sidecarHost?: 'there' | 'away' | 'untrusted';
  /** Whether every request (by method, address and body) gets one 500 before it is answered. */
  errsOnce?: boolean;
  /** Seconds of `Retry-After` in refusals of a maintenance; absent: none. */
  retryAfterS?: number;
  /** Delivered captions are never detected, with or without a notification. */
  ignoresCaptions?: boolean;
  /** The time until which the library shows no collection. */
  collectionFromMs?: number;
  /** How the library changes titles of items and names of files; absent: not at all. */
  titles?: TitleChange;
  /** Whether its answers have no Date header. */
  hidesItsClock?: boolean;
  /** How long a new item is missing in lists. */
  listsAfterMs?: number;
  /** Lists contain drafts only when requested. */
  hidesDrafts?: boolean;
  /** Lists ignore the filter by creation time. */
  listsAllTimes?: boolean;
}

const TITLE_CHANGES = [
  'kept',
  'trimmed',
  'cut',
  'escaped',
  'upper-case',
  'without-blanks',
  'decomposed',
  'untitled',
] as const;
export type TitleChange = (typeof TITLE_CHANGES)[number];

export interface PlannedUpload {
  site: string;
  name: string;
  sizeBytes: number;
  addAtMs: number;
  publish: PublishChoice;
  /** The decision about duplicates; `ask` by default. */
  duplicates?: DuplicateChoice;
  /** The extensions of its sidecars, and the handling of the file after the upload. Older scenarios have neither. */
  sidecars?: string[];
  tags?: string[];
  source?: SourceChoice;
  /** The text that the user types for the collection instead of choosing one. */
  collectionRef?: string;
}

const FAULTS = [
  'requests-lost',
  'replies-lost',
  'late-effects',
  'faults-before',
  'faults-after',
  'garbled',
  'slow',
  'forbidden',
  'offline',
  'maintenance',
  'signed-out',
  'transfers-cut',
  'transfers-stall',
  'answers-lost',
  'bytes-swallowed',
  'refused',
  'destination-gone',
  'processing-fails',
  'processing-hangs',
  'stored-short',
  'store-full',
] as const;

/** Drawn from a separate generator, so that the rest of a seed stays the same. */
const LATER_FAULTS = ['keychain-locked'] as const;
/** The library is stopped, and a server in front of it answers all requests. */
const GATEWAY_FAULTS = ['gateway'] as const;
const THREAD_FAULTS = ['hash-lost'] as const;

/** A time span in which something fails with the given probability. */
export interface Fault {
  kind: (typeof FAULTS | typeof LATER_FAULTS | typeof THREAD_FAULTS | typeof GATEWAY_FAULTS)[number];
  /** null: at all sites. */
  site: string | null;
  fromMs: number;
  toMs: number;
  rate: number;
}

const EVENTS = [
  'crash',
  'crash-at-write',
  'power-cut',
  'restart',
  'clock-jump',
  'pause',
  'resume',
  'cancel',
  'retry',
  'pause-all',
  'resume-all',
  'retry-failed',
  'cancel-batch',
  'move',
  'send-next',
  'set-priority',
  'small-first',
  'pause-until',
  'limit',
  'wake',
  'file-grows',
  'file-shrinks',
  'file-rewritten',
  'file-replaced',
  'file-vanishes',
  'file-returns',
  'file-renamed',
  'file-moved',
  'file-rotated',
  'file-copied',
  'drive-pulled',
  'drive-returns',
  'duplicates-skip',
  'duplicates-upload',
  'item-deleted',
] as const;

/**
 * Drawn from a separate generator, so that older seeds stay the same. Cancels waiting uploads; the cancel is undone
 * `amount` ms later, or not.
 */
const LATER_EVENTS = ['cancel-waiting', 'cancel-and-undo', 'draft-by-others', 'item-chosen', 'item-new'] as const;

/** Also drawn separately. The user removes ended uploads from the list; `amount` ms later, that is undone, or not. */
const CLEARINGS = ['clear-completed', 'clear-ended', 'clear-and-undo'] as const;

export interface ScenarioEvent {
  kind: (typeof EVENTS | typeof LATER_EVENTS | typeof CLEARINGS)[number];
  atMs: number;
  /** The index of the upload in `uploads`. */
  upload: number;
  /** The parameter: the clock change in ms, or the number of the write. */
  amount: number;
  /** Whether the event concerns the copy of the file, which was added as well. */
  ofCopy?: boolean;
}

const MINUTE_MS = 60_000;
/** The largest files then take ten minutes. */
const LONG_MEGABYTE_MS = 12_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const PERSONS = ['pause', 'resume', 'cancel', 'retry', 'pause-all', 'resume-all', 'retry-failed'] as const;

/** Returns the scenario of a seed. A seed uses only some kinds of faults, so that rare combinations occur often. */
export function scenarioOf(seed: number): Scenario {
  const prng = new Prng(seed, 1);
  // From a separate generator, so that the rest of a seed stays the same.
  const after = new Prng(seed, 4);
  const more = new Prng(seed, 5);
  const calmAtMs = prng.chance(0.85)
    ? prng.spread(20_000, 20 * MINUTE_MS)
    : prng.spread(20 * MINUTE_MS, 8 * 60 * MINUTE_MS);
  const sites = prng.chance(0.2) ? ['s1', 's2'] : ['s1'];
  const typed = new Prng(seed, 8);
  const scattered = new Prng(seed, 9);
  const errsOnce = scattered.chance(0.08);
  // Half of these scenarios have no other faults, so that their times are exact.
  const isQuiet = errsOnce && scattered.chance(0.5);
  const retryAfterS = scattered.chance(0.3) ? scattered.pick([1, 30, 180]) : 0;
  const uploads = plannedUploads(prng, sites, calmAtMs)
    .map((upload) => withFollowUps(after, upload))
    .map((upload) =>
      typed.chance(0.3) ? { ...upload, collectionRef: typed.pick(['c1', 'lectures', 'Lectures']) } : upload,
    );
  const someFaults = FAULTS.filter(() => prng.chance(0.25));
  const someEvents = EVENTS.filter((kind) => prng.chance((PERSONS as readonly string[]).includes(kind) ? 0.4 : 0.25));
  // From a separate generator, too.
  const makes = new Prng(seed, 10);
  const threads = new Prng(seed, 11);
  const diskMs = more.spread(50, 8000);
  const isDiskSlow = more.chance(0.2);
  const scenario: Scenario = {
    seed,
    parallelTransfers: prng.int(1, 4),
    timerLateMs: prng.chance(0.25) ? 2000 : 20,
    calmAtMs,
    service: drawnService(seed, { prng, after, more, typed, makes }, { calmAtMs, errsOnce, retryAfterS }),
    uploads,
    folderBackAtMs: after.chance(0.2) ? after.int(0, calmAtMs) : 0,
    trashFromMs: after.chance(0.2) ? after.int(0, calmAtMs) : 0,
    diskMs: isDiskSlow ? diskMs : 0,
    stallsWithoutShare: true,
    closingHangs: more.chance(0.1),
    clockMoves: new Prng(seed, 6).pick([0, 0, 0.02, 0.2]),
    sidecarDisk: more.chance(0.05) ? more.pick(['file.disk-hangs', 'file.disk-error']) : 'sound',
    faults: [
      ...(someFaults.length === 0 ? [] : draw(prng, prng.int(0, 5), () => aFault(prng, someFaults, sites, calmAtMs))),
      ...(more.chance(0.15) ? [aFault(more, LATER_FAULTS, sites, calmAtMs)] : []),
      ...(more.chance(0.1) ? [aShortMaintenance(more, calmAtMs)] : []),
      ...(threads.chance(0.1) ? [aFault(threads, THREAD_FAULTS, sites, calmAtMs)] : []),
      ...outages(new Prng(seed, 13), sites, calmAtMs),
    ],
    events: [
      ...(someEvents.length === 0
        ? []
        : draw(prng, prng.int(0, 12), () => anEvent(prng, someEvents, uploads.length, calmAtMs))),
      ...(more.chance(isDiskSlow ? 0.6 : 0.05) ? quickHand(more, uploads.length, diskMs, calmAtMs) : []),
      ...changesOfMind(new Prng(seed, 7), uploads.length, calmAtMs),
      ...draw(makes, makes.chance(0.25) ? makes.int(1, 3) : 0, () => aDraft(makes, uploads.length, calmAtMs)),
      ...draw(makes, makes.chance(0.3) ? makes.int(1, 4) : 0, () => aChoice(makes, uploads.length, calmAtMs)),
      ...clearings(new Prng(seed, 12), calmAtMs),
    ],
  };
  return isQuiet ? { ...scenario, faults: [], events: [] } : scenario;
}

/** Stops some libraries for a time, while a server in front of them answers all requests. */
function outages(prng: Prng, sites: string[], calmAtMs: number): Fault[] {
  return prng.chance(0.15) ? [aFault(prng, GATEWAY_FAULTS, sites, calmAtMs)] : [];
}

/** The generators of a scenario, from which its parts draw in a fixed order. */
type Generators = Record<'prng' | 'after' | 'more' | 'typed' | 'makes', Prng>;

function drawnService(
  seed: number,
  { prng, after, more, typed, makes }: Generators,
  { calmAtMs, errsOnce, retryAfterS }: { calmAtMs: number; errsOnce: boolean; retryAfterS: number },
): Scenario['service'] {
  return {
    postprocess: prng.chance(0.6),
    takesBytesTwice: prng.chance(0.6),
    abandonsSince: prng.pick(['movement', 'creation']),
    pageSize: prng.pick([1, 2, 3, 50]),
    mayDeleteFiles: prng.chance(0.75),
    mayDeleteItems: prng.chance(0.85),
    lackingStatus: prng.pick([403, 404]),
    noticesAfterMs: prng.pick([0, 0, 1000, 30_000, 150_000]),
    clockAheadMs: prng.chance(0.3) ? prng.int(-5 * MINUTE_MS, 5 * MINUTE_MS) : 0,
    processingMs: prng.spread(50, prng.chance(0.8) ? 20_000 : 20 * MINUTE_MS),
    joins: after.pick(['array', 'array', 'envelope', 'none']),
    losesTags: after.chance(0.2),
    megabyteMs: more.chance(0.12) ? LONG_MEGABYTE_MS : 0,
    // Rare, because two days of simulated retries take real time.
    sidecarHost: more.chance(0.03) ? more.pick(['away', 'untrusted']) : 'there',
    ignoresCaptions: more.chance(0.01),
    errsOnce,
    retryAfterS,
    collectionFromMs: typed.chance(0.1) ? typed.spread(1000, calmAtMs) : 0,
    titles: makes.chance(0.5) ? 'kept' : makes.pick(TITLE_CHANGES),
    hidesItsClock: makes.chance(0.2),
    listsAfterMs: makes.chance(0.2) ? makes.int(0, 30_000) : 0,
    hidesDrafts: makes.chance(0.15),
    listsAllTimes: makes.chance(0.15),
    neverAbandons: new Prng(seed, 11).chance(0.05),
  };
}

function plannedUploads(prng: Prng, sites: string[], calmAtMs: number): PlannedUpload[] {
  const hasEqualNames = prng.chance(0.35);
  return draw(prng, prng.chance(0.9) ? prng.int(1, 6) : prng.int(7, 14), (index) => ({
    site: prng.pick(sites),
    name:
      hasEqualNames && prng.chance(0.6) ? 'lecture.mp4' : `lecture ${index}.${prng.pick(['mp4', 'mp3', 'srt', 'pdf'])}`,
    sizeBytes: prng.spread(1, 50_000_000),
    addAtMs: prng.chance(0.7) ? 0 : prng.int(0, Math.min(calmAtMs, 5 * MINUTE_MS)),
    duplicates: prng.pick<DuplicateChoice>(['ask', 'ask', 'skip', 'upload']),
    publish: prng.pick<PublishChoice>([{ kind: 'draft' }, { kind: 'now' }, { kind: 'at', at: '2026-02-01T00:00:00Z' }]),
  }));
}

function withFollowUps(prng: Prng, upload: PlannedUpload): PlannedUpload {
  const isPlayed = /\.mp[34]$/.test(upload.name);
  const source = prng.pick<SourceChoice>([
    { kind: 'keep' },
    { kind: 'move', folder: '/done' },
    { kind: 'move', folder: '/other/done' },
    { kind: 'trash' },
  ]);
  return {
    ...upload,
    sidecars: isPlayed ? ['srt', 'de.vtt', 'png'].filter(() => prng.chance(0.4)) : [],
    tags: prng.chance(0.3) ? ['lecture', 'physics'] : [],
    source,
  };
}

function aFault(prng: Prng, kinds: readonly Fault['kind'][], sites: string[], calmAtMs: number): Fault {
  const fromMs = prng.chance(0.4) ? 0 : prng.int(0, calmAtMs);
  return {
    kind: prng.pick(kinds),
    site: prng.chance(0.5) ? null : prng.pick(sites),
    fromMs,
    toMs: Math.min(calmAtMs, fromMs + prng.spread(500, calmAtMs)),
    rate: prng.pick([0.1, 0.3, 0.6, 1]),
  };
}

/** A short fault that ends while transfers from before are still running. */
function aShortMaintenance(prng: Prng, calmAtMs: number): Fault {
  const fromMs = prng.int(1000, 20_000);
  const toMs = Math.min(calmAtMs, fromMs + prng.int(5000, MINUTE_MS));
  return { kind: 'maintenance', site: null, fromMs, toMs, rate: 1 };
}

function anEvent(
  prng: Prng,
  kinds: readonly ScenarioEvent['kind'][],
  uploads: number,
  calmAtMs: number,
): ScenarioEvent {
  const kind = prng.pick(kinds);
  return {
    kind,
    // Mostly while the first transfers run; sometimes at any time.
    atMs: prng.chance(0.6) ? prng.int(0, Math.min(calmAtMs, 15_000)) : prng.int(0, calmAtMs),
    upload: prng.int(0, uploads - 1),
    amount:
      kind === 'clock-jump' ? prng.pick([DAY_MS, -DAY_MS, prng.int(-90 * MINUTE_MS, 90 * MINUTE_MS)]) : prng.int(1, 12),
  };
}

/** A colleague creates an empty draft in the same collection. */
function aDraft(prng: Prng, uploads: number, calmAtMs: number): ScenarioEvent {
  const atMs = prng.chance(0.7) ? prng.int(0, Math.min(calmAtMs, 60_000)) : prng.int(0, calmAtMs);
  return { kind: 'draft-by-others', atMs, upload: prng.int(0, uploads - 1), amount: prng.int(1, 3) };
}

/** The user chooses the item of an upload. */
function aChoice(prng: Prng, uploads: number, calmAtMs: number): ScenarioEvent {
  const kind = prng.pick(['item-chosen', 'item-new'] as const);
  return { kind, atMs: prng.int(0, calmAtMs), upload: prng.int(0, uploads - 1), amount: 1 };
}

/** A user who adds a file twice, and does not decide about the duplicate. */
function quickHand(prng: Prng, uploads: number, diskMs: number, calmAtMs: number): ScenarioEvent[] {
  const upload = prng.int(0, uploads - 1);
  const copiedAtMs = prng.int(0, 10_000);
  const events: ScenarioEvent[] = [{ kind: 'file-copied', atMs: copiedAtMs, upload, amount: 1 }];
  for (let count = prng.int(1, 4); count > 0; count -= 1) {
    const atMs = copiedAtMs + prng.int(0, 10 * diskMs);
    const each = { upload, amount: 1, ofCopy: prng.chance(0.6) };
    const kind = prng.pick(['pause', 'pause', 'pause', 'restart', 'restart', 'cancel'] as const);
    const then = { pause: 'resume', cancel: 'retry', restart: 'resume' } as const;
    events.push({ ...each, kind, atMs }, { ...each, kind: then[kind], atMs: atMs + prng.spread(1, 20_000) });
  }
  return events.filter(({ atMs }) => atMs < calmAtMs);
}

/** A user who cancels waiting uploads and undoes that for some of them, in time or too late. */
function changesOfMind(prng: Prng, uploads: number, calmAtMs: number): ScenarioEvent[] {
  if (!prng.chance(0.3)) return [];
  return draw(prng, prng.int(1, 4), () => ({
    kind: prng.pick([...LATER_EVENTS, 'cancel-and-undo']),
    atMs: prng.chance(0.7) ? prng.int(0, Math.min(calmAtMs, MINUTE_MS)) : prng.int(0, calmAtMs),
    upload: prng.int(0, uploads - 1),
    amount: prng.spread(1, 15_000),
  }));
}

function clearings(prng: Prng, calmAtMs: number): ScenarioEvent[] {
  if (!prng.chance(0.3)) return [];
  return draw(prng, prng.int(1, 4), () => ({
    kind: prng.pick(CLEARINGS),
    atMs: prng.int(0, calmAtMs),
    upload: 0,
    amount: prng.spread(1, 15_000),
  }));
}

function draw<T>(_prng: Prng, count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
