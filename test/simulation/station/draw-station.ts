import { Prng } from '../../helpers/data/prng.ts';
import type { Fault, Scenario } from '../scenario.ts';
import {
  type PlannedRecording,
  RECORDING_KINDS,
  type RecordingKind,
  STATION_EVENTS,
  type StationEvent,
  type StationPlan,
} from './plan.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The last recording begins this long before the end of the day. */
const LAST_START_MS = 22 * HOUR_MS;
const ABANDONED_FROM_MS = 20 * HOUR_MS;
/** Drives, shares and the computer work again this long before the end of the day. */
const LAST_FAULT_MS = 23 * HOUR_MS;
const FAULTS: readonly Fault['kind'][] = [
  'requests-lost',
  'replies-lost',
  'slow',
  'offline',
  'maintenance',
  'signed-out',
  'transfers-cut',
  'transfers-stall',
  'answers-lost',
  'store-full',
];

/** The common properties of the days of a campaign. */
export interface StationFocus {
  place?: StationPlan['place'];
  kinds?: readonly RecordingKind[];
  events?: readonly StationEvent['kind'][];
  plan?: Partial<StationPlan>;
}

/** Returns the day of a station. `recordings`: how many; null: 1 to 24. */
export function stationScenarioOf(seed: number, recordings: number | null = null, focus: StationFocus = {}): Scenario {
  const prng = new Prng(seed, 101);
  // From a separate generator, so that the rest of a seed stays the same.
  const gateways = new Prng(seed, 103);
  const drawnPlace = prng.pick(['local', 'usb', 'share'] as const);
  const place = focus.place ?? drawnPlace;
  const isQuiet = prng.chance(0.15) && focus.events === undefined;
  const count = recordings ?? prng.spread(1, 24);
  const drawnKinds = RECORDING_KINDS.filter((kind) => prng.chance(0.5) && canBeRecognized(kind, place, isQuiet));
  const kinds = focus.kinds ?? drawnKinds;
  const sessions = Array.from({ length: prng.int(1, 4) }, () => prng.int(0, LAST_START_MS));
  const planned = Array.from({ length: count }, (_, index): PlannedRecording => {
    const kind = kinds.length === 0 ? 'steady' : prng.pick(kinds);
    const isInSession = recordings === null && prng.chance(0.8);
    const spreadMs = isInSession ? Math.min(prng.pick(sessions) + prng.spread(10, HOUR_MS), LAST_START_MS) : null;
    const drawnMs = spreadMs ?? prng.int(0, LAST_START_MS);
    // An abandoned file is polled until the end of the day.
    const atMs = kind === 'existing' ? 0 : kind === 'abandoned' ? Math.max(drawnMs, ABANDONED_FROM_MS) : drawnMs;
    const folder = prng.pick(['', '', `day ${prng.int(1, 3)}/`, `day ${prng.int(1, 3)}/room ${prng.int(1, 2)}/`]);
    return { kind, atMs, name: `${folder}${index}`, seed: prng.int(1, 2 ** 31) };
  });
  const someFaults = FAULTS.filter(() => prng.chance(0.25));
  const events = isQuiet ? [] : stationEvents(prng, place, planned, focus.events);
  const mayHaveCopies = kinds.includes('copied');
  return {
    seed,
    parallelTransfers: prng.int(1, 3),
    timerLateMs: prng.chance(0.2) ? 500 : 20,
    calmAtMs: DAY_MS,
    service: {
      postprocess: prng.chance(0.6),
      takesBytesTwice: true,
      abandonsSince: 'movement',
      pageSize: 50,
      mayDeleteFiles: true,
      mayDeleteItems: true,
      lackingStatus: 403,
      noticesAfterMs: 0,
      clockAheadMs: 0,
      processingMs: prng.spread(1000, 10 * MINUTE_MS),
      joins: 'array',
      titles: 'kept',
    },
    uploads: [],
    faults: isQuiet
      ? []
      : [
          ...(someFaults.length === 0 ? [] : severalFaults(prng, someFaults)),
          ...(gateways.chance(0.2) ? [aFault(gateways, 'gateway')] : []),
        ],
    events: [],
    clockMoves: 0,
    stallsWithoutShare: true,
    station: {
      place,
      folder: prng.pick(['', 'recordings', 'station/recordings']),
      mountPointStays: prng.chance(0.6),
      numbersChange: place === 'usb' && prng.chance(0.4),
      deviceChanges: place !== 'local' && prng.chance(0.4),
      clockStopsInSleep: prng.chance(0.5),
      showsOpenFiles: place === 'local' && (kinds.includes('open with pauses') || prng.chance(0.5)),
      eventsLost: isQuiet ? 0 : prng.pick([0, 0, 0.1, 0.5, 1]),
      eventsLateMs: prng.pick([50, 500, 3000]),
      clockAheadMs: place === 'share' ? prng.pick([0, HOUR_MS, -HOUR_MS, 1500]) : 0,
      sweepEveryMs: kinds.includes('growing pauses') ? null : prng.pick([null, 5 * MINUTE_MS, 10 * MINUTE_MS]),
      existingFiles: prng.pick(['upload', 'skip']),
      source: { kind: prng.pick(['keep', 'keep', 'trash']) },
      duplicates: mayHaveCopies ? 'skip' : prng.pick(['skip', 'upload']),
      recordings: planned,
      events,
      ...focus.plan,
    },
  };
}

/** Returns whether the engine can know when such a recording is finished. */
function canBeRecognized(kind: RecordingKind, place: StationPlan['place'], isQuiet: boolean): boolean {
  // An unobserved pause, for example during a sleep, says nothing about the next one.
  if (kind === 'growing pauses') return isQuiet;
  return kind !== 'open with pauses' || place === 'local';
}

function severalFaults(prng: Prng, kinds: readonly Fault['kind'][]): Fault[] {
  return Array.from({ length: prng.int(0, 4) }, () => aFault(prng, prng.pick(kinds)));
}

function aFault(prng: Prng, kind: Fault['kind']): Fault {
  const fromMs = prng.int(0, LAST_FAULT_MS - MINUTE_MS);
  const lastsMs = prng.spread(MINUTE_MS, 3 * HOUR_MS);
  return {
    kind,
    site: null,
    fromMs,
    toMs: Math.min(fromMs + lastsMs, LAST_FAULT_MS),
    rate: prng.pick([0.1, 0.4, 1]),
  };
}

function stationEvents(
  prng: Prng,
  place: StationPlan['place'],
  recordings: readonly PlannedRecording[],
  wanted?: readonly StationEvent['kind'][],
): StationEvent[] {
  const drawn = STATION_EVENTS.filter((kind) => prng.chance(0.35) && isPossible(kind, place));
  const kinds = wanted ?? drawn;
  if (kinds.length === 0) return [];
  return Array.from({ length: prng.spread(1, 16) }, () => {
    // Mostly while files are written.
    const isDuringOne = prng.chance(0.7);
    const drawnMs = isDuringOne ? prng.pick(recordings).atMs + prng.spread(10, HOUR_MS) : prng.int(0, LAST_FAULT_MS);
    return anEvent(prng, prng.pick(kinds), Math.min(drawnMs, LAST_FAULT_MS - MINUTE_MS));
  });
}

function isPossible(kind: StationEvent['kind'], place: StationPlan['place']): boolean {
  if (kind === 'share-hangs') return place === 'share';
  if (kind === 'events-fail') return place !== 'share';
  return place !== 'local' || !['unplugged', 'mounted-elsewhere', 'other-drive', 'root-renamed'].includes(kind);
}

function anEvent(prng: Prng, kind: StationEvent['kind'], atMs: number): StationEvent {
  const leftMs = LAST_FAULT_MS - atMs;
  switch (kind) {
    case 'kill-at-write':
      return { kind, atMs, amount: prng.spread(1, 200) };
    case 'clock-jump':
      return { kind, atMs, amount: prng.pick([DAY_MS, -DAY_MS, prng.int(-90 * MINUTE_MS, 90 * MINUTE_MS)]) };
    default:
      return { kind, atMs, amount: Math.min(leftMs, prng.spread(500, 4 * HOUR_MS)) };
  }
}
