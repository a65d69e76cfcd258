import { expect, it } from 'vitest';
import { checkHistory } from '../../simulation/checker/check-history.ts';
import { type Scenario, scenarioOf } from '../../simulation/scenario.ts';
import { simulate } from '../../simulation/simulate.ts';

const FILES = 420;
const ADDED_AT_MS = 600_000;

/**
 * Returns a scenario in which hundreds of files of one collection stay in processing; then one more file is uploaded, with
 * captions.
 */
function hundredsInProcessing(): Scenario {
  const many = Array.from({ length: FILES }, (_, index) => ({
    site: 's1',
    name: `take ${index}.mp4`,
    sizeBytes: 1000 + index,
    addAtMs: 0,
    publish: { kind: 'draft' } as const,
  }));
  return {
    ...scenarioOf(1),
    parallelTransfers: 4,
    timerLateMs: 20,
    calmAtMs: ADDED_AT_MS + 200_000,
    service: {
      postprocess: true,
      takesBytesTwice: true,
      abandonsSince: 'movement',
      pageSize: 50,
      lackingStatus: 403,
      mayDeleteFiles: true,
      mayDeleteItems: true,
      noticesAfterMs: 0,
      clockAheadMs: 0,
      processingMs: 1000,
      joins: 'array',
    },
    uploads: [
      ...many,
      {
        site: 's1',
        name: 'late.mp4',
        sizeBytes: 500,
        addAtMs: ADDED_AT_MS,
        publish: { kind: 'now' },
        sidecars: ['srt'],
      },
    ],
    faults: [{ kind: 'processing-hangs', site: null, fromMs: 0, toMs: ADDED_AT_MS - 5000, rate: 1 }],
    events: [],
  };
}

it('a file that is ready is published within a minute, however many others are being processed', async () => {
  const history = await simulate(hundredsInProcessing());
  const inProcessing = history.rows.filter(({ event, atMs }) => event === 'finished' && atMs < ADDED_AT_MS);
  expect(inProcessing).toHaveLength(FILES);
  const published = history.effects.find(({ kind }) => kind === 'item-published');
  expect(published?.atMs).toBeGreaterThan(ADDED_AT_MS);
  expect(published?.atMs).toBeLessThan(ADDED_AT_MS + 60_000);
  expect(checkHistory(history)).toEqual([]);
});
