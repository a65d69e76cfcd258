import type { History } from '../../simulation/history.ts';
import type { Scenario } from '../../simulation/scenario.ts';
import type { RecordingKind } from '../../simulation/station/plan.ts';
import { QUIET } from './quiet-scenarios.ts';

const HOUR_MS = 3_600_000;
const KINDS: readonly RecordingKind[] = ['steady', 'steady', 'abandoned', 'existing'];

/**
 * A station with two recordings, a third one that its recorder abandons, and a recording from before the start. No other event
 * occurs.
 */
export const QUIET_STATION: Scenario = {
  ...QUIET,
  calmAtMs: 2 * HOUR_MS,
  uploads: [],
  station: {
    place: 'usb',
    folder: 'recordings',
    mountPointStays: true,
    numbersChange: false,
    deviceChanges: false,
    clockStopsInSleep: false,
    showsOpenFiles: false,
    eventsLost: 0,
    eventsLateMs: 50,
    clockAheadMs: 0,
    sweepEveryMs: null,
    existingFiles: 'skip',
    duplicates: 'skip',
    source: { kind: 'keep' },
    events: [],
    recordings: KINDS.map((kind, index) => ({
      kind,
      name: `lecture ${index}`,
      seed: index + 1,
      atMs: kind === 'existing' ? 0 : 60_000 * (index + 1),
    })),
  },
};

type Change = (history: History, station: NonNullable<History['station']>) => void;

/** For each rule about watched folders, changes that make a history violate it. */
const CHANGES: [rule: string, how: string, change: Change][] = [
  ['recordingsArriveOnce', 'the library lacks a finished recording', ({ final }) => final.items.pop()],
  [
    'recordingsArriveOnce',
    'a recording is in the library twice',
    ({ final }) => {
      final.items.push(...final.items.map((item) => ({ ...item, id: `${item.id} again` })));
    },
  ],
  [
    'onlyFinishedRecordingsArrive',
    'a recording arrives before it was finished',
    (_, { states }) => {
      for (const state of states) state.isFinished = false;
    },
  ],
  [
    'onlyFinishedRecordingsArrive',
    'a file arrives that existed before the folder was watched',
    ({ final }, { states }) => {
      const existing = states.find(({ recording }) => KINDS[recording] === 'existing')?.contents ?? '';
      for (const file of final.items.flatMap(({ files }) => files)) file.contents = existing;
    },
  ],
  [
    'recordingsAreQueuedOnce',
    'a recording is queued twice',
    ({ rows }) => {
      const added = rows.filter(({ event }) => event === 'added');
      rows.push(...added.map((fact) => ({ ...fact, row: { ...fact.row, id: `${fact.row.id} again` } })));
    },
  ],
  [
    'recordingsAreQueuedInTime',
    'a recording is queued an hour late',
    ({ rows }) => {
      for (const fact of rows) fact.atMs += HOUR_MS;
    },
  ],
  [
    'awayIsNotGone',
    'a file counts as deleted while its drive is disconnected',
    (_, { lostSight }) => lostSight.push({ atMs: 1, path: 'lecture 0.ts' }),
  ],
  [
    'abandonedRecordingsAreShown',
    'an abandoned recording still has the state “settling”',
    (_, { final }) => {
      for (const row of final.rows) if (row.state === 'incomplete') row.state = 'settling';
    },
  ],
];

export const BROKEN_STATIONS = CHANGES.map(
  ([rule, how, change]): [rule: string, how: string, change: (history: History) => void] => [
    rule,
    how,
    (history) => {
      if (history.station === null) throw new Error('the good history has no station');
      change(history, history.station);
    },
  ],
);
