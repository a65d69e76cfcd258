import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../../../electron/engine/store/database.ts';
import { BatchStore } from '../../../../../electron/engine/uploads/journal/batch-store.ts';
import { laneOf, ranksBetween, UploadOrder } from '../../../../../electron/engine/uploads/journal/upload-order.ts';
import { UploadStore } from '../../../../../electron/engine/uploads/journal/upload-store.ts';
import { RunnableUploads, type Turn } from '../../../../../electron/engine/uploads/queue/runnable-uploads.ts';
import { PRIORITIES } from '../../../../../shared/model/uploads/priorities.ts';
import type { Upload } from '../../../../../shared/model/uploads/upload.ts';
import { emptyDatabase } from '../../../../helpers/data/empty-database.ts';
import { aBatch, anUpload, storedRows } from '../../../../helpers/data/upload-rows.ts';

let database: Database;
let store: UploadStore;
let order: UploadOrder;
let runnable: RunnableUploads;

async function open(): Promise<void> {
  database = await emptyDatabase();
  store = new UploadStore(database);
  order = new UploadOrder(database);
  runnable = new RunnableUploads(database);
  new BatchStore(database).add(aBatch());
}

function add(...uploads: Partial<Upload>[]): void {
  const end = order.endOf(laneOf('normal'));
  store.insert(
    uploads.map((changes) => anUpload(changes)),
    (_, index) => end + index,
  );
}

const addNamed = (names: string) => add(...[...names].map((id) => ({ id })));
const listed = () =>
  storedRows(database)
    .map(({ id }) => id)
    .join('');
const prioritiesOf = () => storedRows(database).map(({ priority }) => priority);
const next = (changes: Partial<Turn> = {}) =>
  runnable
    .next({
      now: 1_000_000,
      limit: 100,
      areWaiting: true,
      blockedSites: [],
      readOnlySites: [],
      isBusy: () => false,
      isSerial: () => false,
      soloSites: new Set(),
      busyDevices: new Set(),
      ...changes,
    })
    .map(({ id }) => id)
    .join('');

beforeEach(open);
afterEach(() => database.close());

describe('the order of the queue', () => {
  it('is the order of adding until the user changes it', () => {
    addNamed('abc');
    addNamed('de');
    expect(listed()).toBe('abcde');
    expect(next()).toBe('abcde');
  });

  it('puts moved rows before another row and keeps their own order', async () => {
    addNamed('abcdef');
    expect(await order.move(['e', 'b'], 'a')).toBe(2);
    expect(listed()).toBe('beacdf');
    await order.move(['b', 'a'], null);
    expect(listed()).toBe('ecdfba');
    await order.move(['f', 'd'], 'd');
    expect(listed()).toBe('ecdfba');
  });

  it('puts moved rows directly behind another row, which keeps its position', async () => {
    addNamed('abcdef');
    await order.move(['a', 'e'], null, 'c');
    expect(listed()).toBe('bcaedf');
    // A position after one of the moved rows means the position after the last row before it that is not moved.
    await order.move(['e', 'b'], null, 'e');
    expect(listed()).toBe('cabedf');
    await order.move(['c'], null, 'f');
    expect(listed()).toBe('abedfc');
  });

  it('keeps the priority of rows that are moved behind the last one of that priority', async () => {
    addNamed('abcdef');
    await order.setPriority(['e', 'f'], 'low', false);
    await order.move(['a'], null, 'd');
    expect(listed()).toBe('bcdaef');
    expect(prioritiesOf()).toEqual(['normal', 'normal', 'normal', 'normal', 'low', 'low']);
  });

  it('changes nothing for rows that do not exist', async () => {
    addNamed('abc');
    expect(await order.move(['c'], null, 'x')).toBe(0);
    expect(await order.move(['x'], 'a')).toBe(0);
    expect(await order.move(['c'], 'x')).toBe(0);
    expect(listed()).toBe('abc');
  });

  it('has all uploads of a priority before any of the next', async () => {
    addNamed('abcdef');
    await order.setPriority(['e', 'c'], 'high', false);
    await order.setPriority(['a'], 'low', false);
    expect(listed()).toBe('cebdfa');
    expect(next()).toBe('cebdfa');
    expect(prioritiesOf()).toEqual(['high', 'high', 'normal', 'normal', 'normal', 'low']);
  });

  it('gives moved rows the priority of their new place when theirs does not fit', async () => {
    addNamed('abcdef');
    await order.setPriority(['a', 'b'], 'high', false);
    await order.setPriority(['e', 'f'], 'low', false);
    await order.move(['f'], 'b');
    expect(listed()).toBe('afbcde');
    expect(prioritiesOf()).toEqual(['high', 'high', 'high', 'normal', 'normal', 'low']);
    // The position before the first row of normal priority is also the position after the last row of high priority.
    await order.move(['a'], 'c');
    expect(listed()).toBe('fbacde');
    expect(prioritiesOf()).toEqual(['high', 'high', 'high', 'normal', 'normal', 'low']);
  });

  it('has “send next” rows before every priority, the latest choice first', async () => {
    addNamed('abcdef');
    await order.setPriority(['a'], 'high', false);
    await order.sendNext(['d', 'e']);
    await order.sendNext(['f']);
    expect(listed()).toBe('fdeabc');
    expect(next({ limit: 2 })).toBe('fd');
    await order.sendNext(['e']);
    expect(listed()).toBe('efdabc');
  });

  it('has the smallest file of a priority first when it is arranged by size, after “send next” rows', async () => {
    add({ id: 'a', sizeBytes: 30 }, { id: 'b', sizeBytes: 10 }, { id: 'c', sizeBytes: 20 }, { id: 'd', sizeBytes: 40 });
    await order.arrange('size');
    expect(listed()).toBe('bcad');
    await order.sendNext(['d']);
    await order.setPriority(['a', 'c'], 'high', true);
    expect(listed()).toBe('dcab');
    await order.arrange('added');
    expect(listed()).toBe('dacb');
  });

  it('allows any number of moves to one place', async () => {
    addNamed('abcdefgh');
    for (let turn = 0; turn < 120; turn += 1)
      await order.move([turn % 2 === 0 ? 'c' : 'd'], turn % 2 === 0 ? 'd' : 'c');
    expect(listed()).toBe('abdcefgh');
  });

  interface Move {
    kind: 'move' | 'next' | 'priority';
    some: readonly string[];
    before?: string | null;
  }

  /** Checks that the moved rows are together at the new position in their order, and that all others keep their order. */
  function expectMoved({ kind, some, before: stay = null }: Move, before: string, after: string): void {
    const unmoved = (text: string) => [...text].filter((id) => !some.includes(id)).join('');
    expect(unmoved(after)).toBe(unmoved(before));
    const moved = [...before].filter((id) => some.includes(id)).join('');
    if (kind === 'next') expect(after.startsWith(moved)).toBe(true);
    else if (kind === 'move' && stay === null) expect(after.endsWith(moved)).toBe(true);
    else if (kind === 'move' && stay !== null && !some.includes(stay)) expect(after).toContain(moved + stay);
  }

  it('keeps every row once and each priority together for any moves', async () => {
    const ids = [...'abcdefghij'];
    const some = fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1 });
    const step = fc.oneof(
      fc.record({ kind: fc.constant('move' as const), some, before: fc.option(fc.constantFrom(...ids)) }),
      fc.record({ kind: fc.constant('next' as const), some }),
      fc.record({ kind: fc.constant('priority' as const), some, priority: fc.constantFrom(...PRIORITIES) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        await open();
        addNamed(ids.join(''));
        for (const each of steps) {
          const before = listed();
          if (each.kind === 'next') await order.sendNext(each.some);
          else if (each.kind === 'priority') await order.setPriority(each.some, each.priority, false);
          else await order.move(each.some, each.before);
          const after = listed();
          expect([...after].sort()).toEqual(ids);
          expect(next()).toBe(after);
          const ranks = prioritiesOf().map((priority) => PRIORITIES.indexOf(priority));
          expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
          expectMoved(each, before, after);
        }
        database.close();
      }),
      { numRuns: 60 },
    );
    await open();
  });
});

describe('the choice of the next upload', () => {
  it('skips uploads of blocked sites and busy rows', () => {
    add({ id: 'a', siteId: 's1' }, { id: 'b', siteId: 's2' }, { id: 'c', siteId: 's2' });
    expect(next({ blockedSites: ['s1'], isBusy: (id) => id === 'b' })).toBe('c');
  });

  it('finds the first free row behind more busy rows than it may return', () => {
    addNamed('abcdefgh');
    expect(next({ limit: 1, isBusy: (id) => id < 'g' })).toBe('g');
  });

  it('returns one file of a serial disk, and any number of files of others', () => {
    add(
      { id: 'a', identity: '8:1' },
      { id: 'b', identity: '8:2' },
      { id: 'c', identity: '9:1' },
      { id: 'd', identity: '9:2' },
    );
    const isSerial = (device: string) => device === '8';
    expect(next({ isSerial })).toBe('acd');
    expect(next({ isSerial, busyDevices: new Set(['8']) })).toBe('cd');
    expect(next({ isSerial: () => true, limit: 2 })).toBe('ac');
  });

  it('returns a retry that is long overdue before new uploads, and none before its time', () => {
    add(
      { id: 'a' },
      { id: 'r', state: 'waiting', nextAttemptAt: 900_000 },
      { id: 's', state: 'waiting', nextAttemptAt: 999_000 },
    );
    add({ id: 'l', state: 'waiting', nextAttemptAt: 1_000_001 });
    expect(next()).toBe('ras');
  });
});

describe('ranks between two others', () => {
  it('are ascending, or null when there is no room', () => {
    expect(ranksBetween(1, 2, 3)).toEqual([1.25, 1.5, 1.75]);
    expect(ranksBetween(null, 5, 2)).toEqual([3, 4]);
    expect(ranksBetween(5, null, 2)).toEqual([6, 7]);
    expect(ranksBetween(null, null, 2)).toEqual([1, 2]);
    expect(ranksBetween(1, 1 + Number.EPSILON, 1)).toBeNull();
    expect(ranksBetween(3, 3, 1)).toBeNull();
  });
});
