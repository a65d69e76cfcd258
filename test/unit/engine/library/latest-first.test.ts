import { describe, expect, it } from 'vitest';
import { createLatestFirst, Dropped } from '../../../../electron/engine/library/thumbnails/latest-first.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Creates a queue. `run` adds a task that resolves, or rejects with an error, when the test calls `end` with its name. */
function heldTasks(running: number, waiting: number) {
  const queue = createLatestFirst({ running, waiting });
  const started: string[] = [];
  const finish = new Map<string, (error?: Error) => void>();
  const run = (name: string, signal = new AbortController().signal) =>
    queue.run(
      () =>
        new Promise<string>((resolve, reject) => {
          started.push(name);
          finish.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
        }),
      signal,
    );
  const end = async (name: string, error?: Error) => {
    finish.get(name)?.(error);
    await settled();
  };
  return { run, started, end };
}

describe('createLatestFirst', () => {
  it('runs a limited number of tasks at a time, and then starts the latest of the waiting ones first', async () => {
    const { run, started, end } = heldTasks(2, 10);
    const all = Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => run(name)));
    await settled();
    expect(started).toEqual(['a', 'b']);
    await end('a');
    expect(started).toEqual(['a', 'b', 'd']);
    await end('b', new Error('failed'));
    expect(started).toEqual(['a', 'b', 'd', 'c']);
    await end('c');
    await end('d');
    expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  });

  it('starts nothing that was aborted while it waited', async () => {
    const { run, started, end } = heldTasks(1, 10);
    const first = run('a');
    const controller = new AbortController();
    const second = run('b', controller.signal);
    await settled();
    controller.abort(new Error('scrolled past'));
    await expect(second).rejects.toThrow('scrolled past');
    await end('a');
    await first;
    expect(started).toEqual(['a']);
  });

  it('drops the oldest of too many requests that wait', async () => {
    const { run, started, end } = heldTasks(1, 2);
    const first = run('a');
    await settled();
    const rest = ['b', 'c', 'd'].map((name) => run(name));
    await expect(rest[0]).rejects.toThrow(Dropped);
    for (const name of ['a', 'd', 'c']) await end(name);
    await Promise.all([first, rest[1], rest[2]]);
    expect(started).toEqual(['a', 'd', 'c']);
  });
});
