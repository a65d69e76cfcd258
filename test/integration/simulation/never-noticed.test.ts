import { expect, it } from 'vitest';
import { checkHistory } from '../../simulation/checker/check-history.ts';
import { type Fault, type Scenario, scenarioOf } from '../../simulation/scenario.ts';
import { simulate } from '../../simulation/simulate.ts';

const HOUR_MS = 3_600_000;

/** Returns a scenario with one upload to a library that never abandons a file and does not permit the account to delete one. */
function neverGivenUp(faults: Fault['kind'][], postprocess: boolean, change: Partial<Scenario> = {}): Scenario {
  const scenario = scenarioOf(1);
  return {
    ...scenario,
    timerLateMs: 20,
    calmAtMs: 60_000,
    service: {
      postprocess,
      takesBytesTwice: true,
      abandonsSince: 'movement',
      pageSize: 50,
      lackingStatus: 403,
      mayDeleteFiles: false,
      mayDeleteItems: true,
      noticesAfterMs: 0,
      clockAheadMs: 0,
      processingMs: 1000,
      neverAbandons: true,
    },
    uploads: [{ site: 's1', name: 'take.mp4', sizeBytes: 1000, addAtMs: 0, publish: { kind: 'draft' } }],
    faults: faults.map((kind) => ({ kind, site: null, fromMs: 0, toMs: 60_000, rate: 1 })),
    events: [],
    ...change,
  };
}

it.each<[string, Scenario]>([
  ['the transfer was answered', neverGivenUp(['bytes-swallowed'], false)],
  ['the answer to the transfer was lost', neverGivenUp(['bytes-swallowed', 'answers-lost'], true)],
  [
    'the program restarts and the clock is set forward meanwhile',
    neverGivenUp(['bytes-swallowed', 'answers-lost'], true, {
      events: [
        { kind: 'clock-jump', atMs: 50_000, upload: 0, amount: 24 * HOUR_MS },
        { kind: 'restart', atMs: 55_000, upload: 0, amount: 1 },
      ],
    }),
  ],
])('the engine fails an upload whose bytes the library has not detected for two hours when %s', async (_, scenario) => {
  const history = await simulate(scenario);
  const [row] = history.final.rows;
  expect(row).toMatchObject({ state: 'failed', error: { code: 'upload.not-noticed' } });
  const sentAtMs = history.transfers[0]?.toMs ?? 0;
  const failedAtMs = history.rows.find(({ event }) => event === 'failed')?.atMs ?? 0;
  expect(failedAtMs - sentAtMs).toBeGreaterThan(1.9 * HOUR_MS);
  expect(failedAtMs - sentAtMs).toBeLessThan(2.5 * HOUR_MS);
  // The file was sent once.
  expect(history.transfers).toHaveLength(1);
  expect(checkHistory(history)).toEqual([]);
});

it('the engine waits for a file in processing for a day and completes it', async () => {
  const scenario = neverGivenUp([], true);
  const history = await simulate({
    ...scenario,
    service: { ...scenario.service, processingMs: 25 * HOUR_MS },
  });
  expect(history.final.rows[0]).toMatchObject({ state: 'complete', error: null });
  expect(history.transfers).toHaveLength(1);
  expect(checkHistory(history)).toEqual([]);
});
