import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import {
  CUTS,
  DAMAGED_REPLIES,
  EARLY_ANSWERS,
  GO_AHEADS,
  STANDSTILLS,
  type WireCase,
  WRONG_ANSWERS,
} from './wire-cases.ts';
import { openWireWorld, type WireWorld } from './wire-world.ts';

let world: WireWorld;
beforeAll(async () => {
  world = await openWireWorld();
});
afterAll(() => world.close());
beforeEach(() => world.proxy.reset());

const expectEnd = (wireCase: WireCase) => world.expectEnd(wireCase);

describe('an upload ends as one item with the complete file when the form is cut off:', () => {
  it.each(CUTS)('$name', expectEnd);
});
describe('an upload to a destination that stalls times out, and completes with one retry:', () => {
  it.each(STANDSTILLS)('$name', expectEnd, 180_000);
});
describe('an answer before the end of the form determines the result of the upload:', () => {
  it.each(EARLY_ANSWERS)('$name', expectEnd);
});
describe('an answer of another server never counts as an acceptance:', () => {
  it.each(WRONG_ANSWERS)('$name', expectEnd);
});
describe('the library has one item with one file when the reply to the form is damaged or lost:', () => {
  it.each(DAMAGED_REPLIES)('$name', expectEnd);
});
describe('an upload completes without an error, whatever happens to the go-ahead “100 Continue”:', () => {
  it.each(GO_AHEADS)('$name', expectEnd);
});
