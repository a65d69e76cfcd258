import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  CUTS,
  DAMAGED_REPLIES,
  EARLY_ANSWERS,
  FILE_BYTES,
  GO_AHEADS,
  STANDSTILLS,
  type WireCase,
  WRONG_ANSWERS,
} from './wire-cases.ts';
import { openWireWorld, type WireWorld } from './wire-world.ts';

let world: WireWorld;
let count = 0;
beforeAll(async () => {
  world = await openWireWorld();
});
afterAll(() => world.close());
beforeEach(() => world.proxy.reset());

async function expectEnd(wireCase: WireCase): Promise<void> {
  const { proxy } = world;
  proxy.break({ method: 'POST', path: /^\/upload\//, break: wireCase.break });
  count += 1;
  const journey = await world.upload(world.put(`Case ${count}.bin`, FILE_BYTES));
  const { row, errors } = journey;
  expect({ shows: errors[0]?.code ?? null, state: row.state, attempts: row.attempts }).toEqual({
    ...{ shows: wireCase.shows, state: wireCase.end, attempts: wireCase.retries },
  });
  if (wireCase.details) expect(errors[0]?.details).toMatchObject(wireCase.details);
  if (wireCase.end === 'complete') await world.expectThereOnce(journey);
  else expect(await world.inLibrary(row.title)).toEqual({ items: 1, files: 0 });
}

describe('a form that is cut ends as one item with the whole file', () => {
  it.each(CUTS)('$name', expectEnd);
});
describe('a destination that stands still is left after its time', () => {
  it.each(STANDSTILLS)('$name', expectEnd, 60_000);
});
describe('an answer before the end of the form is heard', () => {
  it.each(EARLY_ANSWERS)('$name', expectEnd);
});
describe('an answer of somebody else is no acceptance', () => {
  it.each(WRONG_ANSWERS)('$name', expectEnd);
});
describe('a reply of the service that does not arrive whole sends nothing twice', () => {
  it.each(DAMAGED_REPLIES)('$name', expectEnd);
});
describe('a go-ahead may be', () => {
  it.each(GO_AHEADS)('$name', expectEnd);
});
