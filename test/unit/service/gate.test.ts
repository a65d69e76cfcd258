import { expect, onTestFinished, test, vi } from 'vitest';
import { createGate } from '../../../service/database/postgres/gate.ts';

const LONG = 60_000;
/** Lets everything go on that waits for nothing else. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('work runs beside other work, and alone only after it, in the order of the calls', async () => {
  const gate = createGate(LONG);
  const order: string[] = [];
  const [endFirst, endSecond] = [await gate.beside(), await gate.beside()];
  const alone = ['one', 'two'].map(async (name) => {
    const end = await gate.alone();
    order.push(name);
    return end;
  });
  const later = gate.beside().then((end) => {
    order.push('later');
    end();
  });
  await settle();
  endFirst();
  await settle();
  expect(order).toEqual([]);
  endSecond();
  (await alone[0])?.();
  const endTwo = await alone[1];
  await settle();
  expect(order).toEqual(['one', 'two']);
  endTwo?.();
  await later;
  expect(order).toEqual(['one', 'two', 'later']);
});

test('work alone begins after the given time although other work, which may wait for it, has not ended', async () => {
  const gate = createGate(1);
  const end = await gate.beside();
  const endAlone = await gate.alone();
  endAlone();
  end();
  (await gate.beside())();
});

test('work that does not end is waited for once, however much work runs alone meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const gate = createGate(LONG);
  const endLong = await gate.beside();
  const order: string[] = [];
  const begin = async (name: string, begun: Promise<() => void>) => {
    const end = await begun;
    order.push(name);
    end();
  };
  const [one, two] = [begin('one', gate.alone()), begin('two', gate.alone())];
  const other = begin('other', gate.beside());
  await settle();
  expect(order).toEqual([]);
  await vi.advanceTimersByTimeAsync(LONG);
  await settle();
  expect(order).toEqual(['one', 'two', 'other']);
  await Promise.all([one, two, other]);
  endLong();
});
