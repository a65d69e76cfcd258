import { beforeAll, describe, expect, it } from 'vitest';
import { checkHistory, RULES } from '../../simulation/checker/check-history.ts';
import type { History } from '../../simulation/history.ts';
import { simulate } from '../../simulation/simulate.ts';
import { MOVER_STEP_MS } from '../../simulation/world/files.ts';
import { BROKEN, END_RULES, QUIET, TO_THE_END, writeBeforeMove } from './broken-histories.ts';

let good: History;
let goodToTheEnd: History;
beforeAll(async () => {
  good = await simulate(QUIET);
  goodToTheEnd = await simulate(TO_THE_END);
});
describe('the checker of histories', () => {
  it('finds nothing in a history in which nothing went wrong', () => {
    expect(good.final.rows.map(({ state }) => state)).toEqual(['complete', 'complete']);
    expect(checkHistory(good)).toEqual([]);
    expect(checkHistory(goodToTheEnd)).toEqual([]);
  });

  it.each(BROKEN)('%s fails when %s', (rule, _, change) => {
    const history = structuredClone(END_RULES.has(rule) ? goodToTheEnd : good);
    change(history);
    expect(checkHistory(history).map((violation) => violation.rule)).toContain(rule);
  });

  it('does not ask of a move that it knows what was written in the very step that moved it', () => {
    const history = structuredClone(goodToTheEnd);
    writeBeforeMove(history, MOVER_STEP_MS);
    expect(checkHistory(history)).toEqual([]);
  });

  it('has shown of each rule that it can fail', () => {
    expect([...new Set(BROKEN.map(([rule]) => rule))].sort()).toEqual(RULES.map(({ name }) => name).sort());
  });
});
