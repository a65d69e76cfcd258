import { beforeAll, describe, expect, it } from 'vitest';
import { checkHistory, RULES } from '../../simulation/checker/check-history.ts';
import type { History } from '../../simulation/history.ts';
import { simulate } from '../../simulation/simulate.ts';
import { MOVER_STEP_MS } from '../../simulation/world/files.ts';
import { BROKEN, writeBeforeMove } from './broken-histories.ts';
import { BROKEN_STATIONS, QUIET_STATION } from './broken-stations.ts';
import { END_RULES, QUIET, TO_THE_END } from './quiet-scenarios.ts';

let good: History;
let goodToTheEnd: History;
let goodStation: History;
beforeAll(async () => {
  good = await simulate(QUIET);
  goodToTheEnd = await simulate(TO_THE_END);
  goodStation = await simulate(QUIET_STATION);
});
describe('the checker of histories', () => {
  it('reports nothing for a history without violations', () => {
    expect(good.final.rows.map(({ state }) => state)).toEqual(['complete', 'complete']);
    expect(checkHistory(good)).toEqual([]);
    expect(checkHistory(goodToTheEnd)).toEqual([]);
    expect(goodStation.final.rows.map(({ state }) => state)).toEqual(['complete', 'complete']);
    expect(checkHistory(goodStation)).toEqual([]);
  });

  it.each(BROKEN)('reports a violation of %s when %s', (rule, _, change) => {
    const history = structuredClone(END_RULES.has(rule) ? goodToTheEnd : good);
    change(history);
    expect(checkHistory(history).map((violation) => violation.rule)).toContain(rule);
  });

  it.each(BROKEN_STATIONS)('reports a violation of %s when %s', (rule, _, change) => {
    const history = structuredClone(goodStation);
    change(history);
    expect(checkHistory(history).map((violation) => violation.rule)).toContain(rule);
  });

  it('permits a write to a file in the same step in which it is moved', () => {
    const history = structuredClone(goodToTheEnd);
    writeBeforeMove(history, MOVER_STEP_MS);
    expect(checkHistory(history)).toEqual([]);
  });

  it('has a broken history for each rule', () => {
    const broken = [...BROKEN, ...BROKEN_STATIONS];
    expect([...new Set(broken.map(([rule]) => rule))].sort()).toEqual(RULES.map(({ name }) => name).sort());
  });
});
