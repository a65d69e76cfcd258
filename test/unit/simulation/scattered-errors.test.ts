import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appError } from '../../../shared/contract/app-error.ts';
import type { RetriedStep } from '../../../shared/model/uploads/retries.ts';
import { scatteredErrorsAreCheap } from '../../simulation/checker/scattered-errors.ts';
import type { History, RowFact } from '../../simulation/history.ts';
import { simulate } from '../../simulation/simulate.ts';
import { QUIET } from './quiet-scenarios.ts';

let good: History;
let history: History;
beforeAll(async () => {
  good = await simulate({ ...QUIET, service: { ...QUIET.service, errsOnce: true, pageSize: 1 } });
});
beforeEach(() => {
  history = structuredClone(good);
});

const MINUTE_MS = 60_000;

/** Replaces all facts after the first `started` by facts about its upload, each a minute after the previous one. */
function addFacts(facts: readonly (Pick<RowFact, 'event'> & { row: Partial<RowFact['row']> })[]): void {
  const started = history.rows.find(({ event }) => event === 'started');
  if (started === undefined) throw new Error('no upload has started');
  history.rows = [started];
  for (const [index, { event, row }] of facts.entries()) {
    const atMs = started.atMs + (index + 1) * MINUTE_MS;
    history.rows.push({ ...started, event, atMs, row: { ...started.row, ...row } });
  }
}

/** Returns consecutive failures of one step. */
const failures = (step: RetriedStep, most: number) =>
  Array.from({ length: most }, (_, index) => ({
    event: 'delayed' as const,
    row: { state: 'waiting' as const, retriesByStep: { [step]: { count: index + 1, answered: 0 } } },
  }));

/** Other uploads create this many items during the second minute. */
function createItems(count: number): void {
  const created = history.effects.find(({ kind }) => kind === 'item-created');
  if (created === undefined) throw new Error('no item was created');
  history.effects = Array.from({ length: count }, () => ({ ...created, atMs: 1.5 * MINUTE_MS }));
}

it('a history in which each request met one error keeps the rule `scatteredErrorsAreCheap`', () => {
  expect(history.rows.some(({ row }) => row.error?.code === 'api.server-error')).toBe(true);
  expect(scatteredErrorsAreCheap(history)).toEqual([]);
});

describe('failures in a row', () => {
  it('keep the rule when they are as many as the new pages of a list that the step reads allow', () => {
    addFacts(failures('look-up-item', 5));
    createItems(3);
    expect(scatteredErrorsAreCheap(history)).toEqual([]);
  });

  it('keep the rule when new pages come from items that are listed late, or only since their publication', () => {
    addFacts(failures('look-up-item', 4));
    createItems(2);
    for (const effect of history.effects) effect.atMs -= 10 * MINUTE_MS;
    history.scenario.service.listsAfterMs = 10 * MINUTE_MS;
    expect(scatteredErrorsAreCheap(history)).toEqual([]);
    for (const effect of history.effects) Object.assign(effect, { kind: 'item-published', atMs: 1.5 * MINUTE_MS });
    expect(scatteredErrorsAreCheap(history)).not.toEqual([]);
    history.scenario.service.hidesDrafts = true;
    expect(scatteredErrorsAreCheap(history)).toEqual([]);
  });

  it.each<[string, RetriedStep, number]>([
    ['the list has fewer new pages', 'look-up-item', 2],
    ['the failed step does not read the list', 'send', 3],
  ])('break the rule when %s', (_, step, items) => {
    addFacts(failures(step, 5));
    createItems(items);
    expect(scatteredErrorsAreCheap(history)).toContainEqual(
      expect.stringContaining(`failed 5 times in a row at ${step}`),
    );
  });

  it('break the rule when the pages are older than the first failure', () => {
    addFacts(failures('look-up-item', 3));
    createItems(3);
    for (const effect of history.effects) effect.atMs = -1;
    expect(scatteredErrorsAreCheap(history)).toEqual([expect.stringContaining('3 times in a row')]);
  });
});

describe('the time of an upload', () => {
  const minutes = (count: number, row: Partial<RowFact['row']>) =>
    Array.from({ length: count }, () => ({ event: 'delayed' as const, row }));
  const error = appError('collection.unknown').toData();

  it('does not include the wait for a retry after a failure', () => {
    addFacts([...minutes(20, { state: 'waiting' }), ...minutes(200, { state: 'failed', error }), ...minutes(5, {})]);
    expect(scatteredErrorsAreCheap(history)).toEqual([]);
  });

  it('breaks the rule when the program worked for longer, before and after a failure', () => {
    addFacts([...minutes(20, { state: 'waiting' }), ...minutes(2, { state: 'failed', error }), ...minutes(15, {})]);
    expect(scatteredErrorsAreCheap(history)).toEqual([expect.stringContaining('took too long')]);
  });
});
