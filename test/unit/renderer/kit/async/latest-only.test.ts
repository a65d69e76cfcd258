import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { latestOnly, untilCancelled } from '../../../../../renderer/kit/async/latest-only.ts';

describe('latestOnly', () => {
  it('reports only the newest of several requests in flight as the latest', () => {
    const requests = latestOnly();
    const [first, second] = [requests.begin(), requests.begin()];
    expect([first.isLatest(), second.isLatest()]).toEqual([false, true]);
  });

  it('accepts answers in the order of their requests when they arrive in that order', () => {
    const requests = latestOnly();
    const [first, second] = [requests.begin(), requests.begin()];
    expect([first.accept(), second.accept()]).toEqual([true, true]);
  });

  it('refuses an answer when the answer of a newer request was accepted', () => {
    const requests = latestOnly();
    const [first, second] = [requests.begin(), requests.begin()];
    expect([second.accept(), first.accept()]).toEqual([true, false]);
  });

  it('refuses every request in flight when it is cancelled, and accepts requests that start later', () => {
    const requests = latestOnly();
    const before = requests.begin();
    requests.cancel();
    expect([before.isLatest(), before.accept()]).toEqual([false, false]);
    const after = requests.begin();
    expect([after.isLatest(), after.accept()]).toEqual([true, true]);
  });

  it('keeps a request of one kind the latest when a request of another kind begins and is answered', () => {
    const [batches, totals] = [latestOnly(), latestOnly()];
    const read = batches.begin();
    totals.begin().accept();
    expect([read.isLatest(), read.accept()]).toEqual([true, true]);
  });

  it('never accepts an older answer after a newer one, and always the newest, in any order of answers', () => {
    const order = fc
      .integer({ min: 1, max: 12 })
      .chain((count) => fc.shuffledSubarray([...Array(count).keys()], { minLength: count }));
    fc.assert(
      fc.property(order, (answers) => {
        const kind = latestOnly();
        const requests = answers.map(() => kind.begin());
        const accepted = answers.filter((index) => requests[index]?.accept());
        expect(accepted).toEqual([...accepted].sort((a, b) => a - b));
        expect(accepted.at(-1)).toBe(answers.length - 1);
      }),
    );
  });
});

describe('untilCancelled', () => {
  const outcome = async (promise: Promise<string>, isCancelled: boolean) => {
    const seen: unknown[] = [];
    const cancel = untilCancelled(
      promise,
      (value) => seen.push(value),
      (thrown) => seen.push(thrown),
    );
    if (isCancelled) cancel();
    await promise.catch(() => undefined);
    return seen;
  };

  it('passes the value to its first callback when nothing was cancelled', async () => {
    expect(await outcome(Promise.resolve('value'), false)).toEqual(['value']);
  });

  it('passes the error to its second callback when nothing was cancelled', async () => {
    const error = new Error('unreachable');
    expect(await outcome(Promise.reject(error), false)).toEqual([error]);
  });

  it('calls no callback when it was cancelled before the answer', async () => {
    expect(await outcome(Promise.resolve('value'), true)).toEqual([]);
    expect(await outcome(Promise.reject(new Error('unreachable')), true)).toEqual([]);
  });
});
