import { expect, it } from 'vitest';
import { RequestOrder } from '../../../../electron/engine/mirror/request-order.ts';

it('an answer is accepted when no answer to a later request is stored, in whatever order answers arrive', () => {
  const order = new RequestOrder();
  const [first, second, third] = [order.next(), order.next(), order.next()];
  expect(order.isCurrent('a', first)).toBe(true);
  order.note('a', second);
  expect([first, second, third].map((moment) => order.isCurrent('a', moment))).toEqual([false, true, true]);
  expect(order.isCurrent('b', first)).toBe(true);
  expect([...order.storedAfter(first)]).toEqual(['a']);
  expect([...order.storedAfter(second)]).toEqual([]);
});

it('the oldest of very many stored entries are forgotten, but not those that were stored again', () => {
  const order = new RequestOrder();
  const early = order.next();
  order.note('first', order.next());
  order.note('again', order.next());
  for (let index = 0; index < 19_997; index += 1) order.note(String(index), order.next());
  order.note('again', order.next());
  order.note('one more', order.next());
  expect(order.isCurrent('first', early)).toBe(true);
  expect(order.isCurrent('again', early)).toBe(false);
  expect(order.storedAfter(early).size).toBe(10_000);
});
