import type { Scenario } from '../../simulation/scenario.ts';

/** Two uploads without any failure. */
export const QUIET: Scenario = {
  seed: 1,
  parallelTransfers: 1,
  timerLateMs: 20,
  calmAtMs: 60_000,
  service: {
    postprocess: true,
    takesBytesTwice: true,
    abandonsSince: 'movement',
    pageSize: 50,
    mayDeleteFiles: true,
    mayDeleteItems: true,
    lackingStatus: 403,
    noticesAfterMs: 0,
    clockAheadMs: 0,
    processingMs: 1000,
  },
  uploads: [
    { site: 's1', name: 'one.mp4', sizeBytes: 1000, addAtMs: 0, publish: { kind: 'now' } },
    { site: 's1', name: 'two.mp4', sizeBytes: 2000, addAtMs: 0, publish: { kind: 'draft' } },
  ],
  faults: [],
  events: [],
};

/** The same scenario with captions, and with the files moved to another disk at the end. */
export const TO_THE_END: Scenario = {
  ...QUIET,
  uploads: QUIET.uploads.map((upload) => ({
    ...upload,
    sidecars: ['srt'],
    source: { kind: 'move', folder: '/other/done' },
  })),
};
export const END_RULES = new Set([
  'sourceIsSafe',
  'noFileIsLost',
  'sidecarsKeepTheirEndings',
  'noHalfCopyIsLeft',
  'captionsOnce',
  'followUpsAreTrue',
]);
