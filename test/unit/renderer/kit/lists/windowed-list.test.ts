import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createWindowedList,
  type ListPage,
  type ListWindow,
  type WindowedList,
} from '../../../../../renderer/kit/lists/windowed-list.ts';

interface Row {
  id: string;
  version: number;
}

interface Load {
  query: string;
  window: ListWindow;
  answer(page: ListPage<Row>): Promise<void>;
  fail(): Promise<void>;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Creates a list whose loads stay in flight until the test answers them. */
function heldList(maxRange?: number) {
  const loads: Load[] = [];
  const pages: { total: number; isFirst: boolean }[] = [];
  const list = createWindowedList<string, Row>({
    load: (query, window) =>
      new Promise((resolve, reject) => {
        loads.push({
          query,
          window,
          answer: (page) => {
            resolve(page);
            return settled().then(() => undefined);
          },
          fail: () => {
            reject(new Error('unreachable'));
            return settled().then(() => undefined);
          },
        });
      }),
    idOf: (row) => row.id,
    onPage: ({ total }, isFirst) => pages.push({ total, isFirst }),
    ...(maxRange === undefined ? {} : { maxRange }),
  });
  const take = (): Load => {
    const load = loads.shift();
    if (load === undefined) throw new Error('No load is in flight.');
    return load;
  };
  return { list, loads, pages, take };
}

function page({ offset, limit }: ListWindow, total: number, version = 1): ListPage<Row> {
  const count = Math.max(0, Math.min(limit, total - offset));
  return { total, rows: Array.from({ length: count }, (_, step) => ({ id: `r${offset + step}`, version })) };
}

const stateOf = (list: WindowedList<string, Row>) => list.useList.getState();

describe('createWindowedList', () => {
  it('loads the first window when a list is opened', async () => {
    const { list, loads, take } = heldList();
    expect(stateOf(list)).toMatchObject({ query: null, total: null });
    list.open('all');
    expect(loads).toHaveLength(1);
    const load = take();
    expect(load).toMatchObject({ query: 'all', window: { offset: 0, limit: 100 } });
    await load.answer(page(load.window, 250));
    expect(stateOf(list)).toMatchObject({ total: 250, error: null });
    expect([list.idAt(0), list.idAt(99), list.idAt(100)]).toEqual(['r0', 'r99', undefined]);
  });

  it('loads nothing when the list is closed', () => {
    const { list, loads } = heldList();
    list.open(null);
    list.show(0, 50);
    list.refresh();
    list.retry();
    expect(loads).toEqual([]);
  });

  it('loads only the missing windows when other rows become visible', async () => {
    const { list, loads, take } = heldList();
    list.open('all');
    await take().answer(page({ offset: 0, limit: 100 }, 1000));
    list.show(90, 110);
    expect(loads.map(({ window }) => window.offset)).toEqual([100]);
    list.show(90, 110);
    list.show(95, 120);
    expect(loads).toHaveLength(1);
  });

  it('drops the answer to the previous query', async () => {
    const { list, take } = heldList();
    list.open('first');
    const old = take();
    list.open('second');
    await take().answer(page({ offset: 0, limit: 100 }, 1, 2));
    await old.answer(page(old.window, 50, 1));
    expect(stateOf(list)).toMatchObject({ query: 'second', total: 1 });
    expect(list.rowAt(0)?.version).toBe(2);
  });

  it('doesn’t show an error of the previous query', async () => {
    const { list, take } = heldList();
    list.open('first');
    const old = take();
    list.open('second');
    await old.fail();
    expect(stateOf(list).error).toBeNull();
  });

  it('clears the selection when another query is opened', () => {
    const { list } = heldList();
    list.open('first');
    list.select({ ids: new Set(['r1']), focus: 1, anchor: 1 });
    list.open('second');
    expect(stateOf(list).selection.ids.size).toBe(0);
  });

  it('keeps rows visible during a refresh, and drops answers from before it', async () => {
    const { list, take } = heldList();
    list.open('all');
    await take().answer(page({ offset: 0, limit: 100 }, 2, 1));
    list.show(0, 1);
    list.refresh();
    const old = take();
    list.refresh();
    const fresh = take();
    expect(list.rowAt(0)?.version).toBe(1);
    await fresh.answer(page(fresh.window, 2, 3));
    await old.answer(page(old.window, 2, 2));
    expect(list.rowAt(0)?.version).toBe(3);
  });

  it.each([
    ['after', [0, 1]],
    ['before', [1, 0]],
  ])(
    'keeps focus and anchor on their rows when a refresh finds these in a window that arrives %s their former one',
    async (_, order) => {
      const { list, take } = heldList();
      list.open('all');
      await take().answer(page({ offset: 0, limit: 100 }, 250));
      list.select({ ids: new Set(['r98']), focus: 98, anchor: 97 });
      list.show(80, 110);
      await take().answer(page({ offset: 100, limit: 100 }, 250));
      list.refresh();
      const windows = [take(), take()];
      // Five new rows at the top moved all others.
      const moved = ({ offset, limit }: ListWindow): ListPage<Row> => ({
        total: 255,
        rows: Array.from({ length: limit }, (_, step) => ({ id: `r${offset + step - 5}`, version: 2 })),
      });
      const answer = async (index = 0) => windows[index]?.answer(moved(windows[index].window));
      await answer(order[0]);
      expect(stateOf(list).selection).toMatchObject({ focus: 98, anchor: 97 });
      await answer(order[1]);
      expect(stateOf(list).selection).toMatchObject({ focus: 103, anchor: 102 });
      expect([...stateOf(list).selection.ids]).toEqual(['r98']);
    },
  );

  it('keeps the position of the focus when its row was removed', async () => {
    const { list, take } = heldList();
    list.open('all');
    await take().answer(page({ offset: 0, limit: 100 }, 50));
    list.select({ ids: new Set(['r10']), focus: 10, anchor: 10 });
    list.refresh();
    const fresh = take();
    const { rows } = page(fresh.window, 50, 2);
    await fresh.answer({ total: 49, rows: rows.filter(({ id }) => id !== 'r10') });
    expect(stateOf(list).selection).toMatchObject({ focus: 10, anchor: 10 });
  });

  it('deselects several rows that left the list, but not a single one', async () => {
    const { list, take } = heldList();
    list.open('media');
    await take().answer(page({ offset: 0, limit: 100 }, 4));
    const selected = () => [...list.useList.getState().selection.ids];
    const refreshTo = async (...ids: string[]) => {
      list.refresh();
      await take().answer({ total: ids.length, rows: ids.map((id) => ({ id, version: 2 })) });
    };
    list.select({ ids: new Set(['r0', 'r1', 'r2']), focus: 2, anchor: 0 });
    await refreshTo('r2', 'r3', 'r1');
    expect(selected()).toEqual(['r2', 'r1']);
    await refreshTo('r3');
    expect(selected()).toEqual([]);
    list.select({ ids: new Set(['r3']), focus: 0, anchor: 0 });
    await refreshTo('r2');
    expect(selected()).toEqual(['r3']);
  });

  it('keeps the selection of a list of which only a part is loaded', async () => {
    const { list, take } = heldList();
    list.open('media');
    await take().answer(page({ offset: 0, limit: 100 }, 500));
    list.select({ ids: new Set(['r0', 'r400']), focus: 0, anchor: 0 });
    list.refresh();
    await take().answer(page({ offset: 0, limit: 100 }, 499, 2));
    expect([...list.useList.getState().selection.ids]).toEqual(['r0', 'r400']);
  });

  it('shows the error of a failed load until the retry, which loads the window again', async () => {
    const { list, take } = heldList();
    list.open('all');
    await take().fail();
    expect(stateOf(list)).toMatchObject({ total: null, error: { code: expect.any(String) } });
    list.retry();
    expect(stateOf(list).error).toBeNull();
    await take().answer(page({ offset: 0, limit: 100 }, 1));
    expect(stateOf(list)).toMatchObject({ total: 1, error: null });
  });

  it('reports each accepted page once, and which page is the first since the list was opened', async () => {
    const { list, pages, take } = heldList();
    list.open('all');
    await take().answer(page({ offset: 0, limit: 100 }, 150));
    list.show(100, 149);
    await take().answer(page({ offset: 100, limit: 100 }, 150));
    list.open('others');
    await take().answer(page({ offset: 0, limit: 100 }, 3));
    expect(pages).toEqual([
      { total: 150, isFirst: true },
      { total: 150, isFirst: false },
      { total: 3, isFirst: true },
    ]);
  });

  it('changes loaded rows with a patch, and notifies only when a row changed', async () => {
    const { list, take } = heldList();
    list.open('all');
    await take().answer(page({ offset: 0, limit: 100 }, 3));
    const before = stateOf(list).version;
    list.patch((row) => row);
    expect(stateOf(list).version).toBe(before);
    list.patch((row) => (row.id === 'r1' ? { ...row, version: 9 } : row));
    expect(list.rowAt(1)?.version).toBe(9);
    expect(stateOf(list).version).toBe(before + 1);
  });
});

describe('forget', () => {
  it('makes a row count as not loaded until the list is loaded again', async () => {
    const { list, take } = heldList();
    list.open('all');
    await take().answer(page({ offset: 0, limit: 100 }, 3));
    list.select({ ids: new Set(['r1']), focus: 1, anchor: 1 });
    list.forget('r1');
    list.refresh();
    expect([list.idAt(0), list.idAt(1), list.idAt(2)]).toEqual(['r0', undefined, 'r2']);
    expect([...list.loaded()].map(({ row }) => row.id)).toEqual(['r0', 'r2']);
    list.patch((row) => ({ ...row, version: 7 }));
    expect(list.rowAt(2)?.version).toBe(7);
    const loading = list.loadRange(1, 1);
    await take().answer({ total: 2, rows: ['r0', 'r2'].map((id) => ({ id, version: 2 })) });
    await loading;
    expect([list.idAt(0), list.idAt(1), list.idAt(2)]).toEqual(['r0', 'r2', undefined]);
  });

  it('changes nothing when no loaded row has the id', async () => {
    const { list, take } = heldList();
    list.open('all');
    await take().answer(page({ offset: 0, limit: 100 }, 3));
    const { version } = stateOf(list);
    list.forget('other');
    expect(stateOf(list).version).toBe(version);
  });
});

describe('loadRange', () => {
  it('resolves when every window of the range arrived, including those in flight already', async () => {
    const { list, loads, take } = heldList();
    list.open('all');
    await take().answer(page({ offset: 0, limit: 100 }, 500));
    list.show(100, 150);
    let isLoaded = false;
    const loading = list.loadRange(120, 310).then(() => {
      isLoaded = true;
    });
    expect(loads.map(({ window }) => window.offset)).toEqual([100, 200, 300]);
    for (let left = loads.length; left > 0; left -= 1) {
      expect(isLoaded).toBe(false);
      const load = take();
      await load.answer(page(load.window, 500));
    }
    await loading;
    expect(list.idAt(310)).toBe('r310');
  });

  it('waits for the rows of a refresh that starts meanwhile', async () => {
    const { list, loads, take } = heldList();
    list.open('all');
    await take().answer(page({ offset: 0, limit: 100 }, 50, 1));
    list.refresh();
    let isLoaded = false;
    const loading = list.loadRange(0, 0).then(() => {
      isLoaded = true;
    });
    const early = take();
    list.refresh();
    await early.answer(page(early.window, 50, 2));
    expect([isLoaded, loads.length, list.rowAt(0)?.version]).toEqual([false, 1, 1]);
    const late = take();
    await late.answer(page(late.window, 50, 3));
    await loading;
    expect(list.rowAt(0)?.version).toBe(3);
  });

  it('resolves when another list is opened meanwhile', async () => {
    const { list, loads, take } = heldList();
    list.open('all');
    const loading = list.loadRange(0, 0);
    const early = take();
    list.open(null);
    await early.answer(page(early.window, 50));
    await loading;
    expect(loads).toEqual([]);
  });

  it('resolves when a window of the range failed', async () => {
    const { list, take } = heldList();
    list.open('all');
    const loading = list.loadRange(0, 10);
    await take().fail();
    await loading;
    expect(stateOf(list).error).not.toBeNull();
  });

  it('loads at most `maxRange` rows', async () => {
    const { list, loads, take } = heldList(200);
    list.open('all');
    await take().answer(page({ offset: 0, limit: 100 }, 1000));
    void list.loadRange(0, 999);
    expect(loads.map(({ window }) => window.offset)).toEqual([100]);
  });
});

type Step = { kind: 'show'; first: number } | { kind: 'change' | 'open' } | { kind: 'answer' | 'fail'; at: number };

/** A list of 400 rows whose source changes, with its first visible row. A load returns the version from the start of the load. */
class ChangingList {
  readonly #held = heldList();
  readonly #versions = new Map<Load, number>();
  version = 1;
  first = 0;

  get list() {
    return this.#held.list;
  }

  get inFlight(): number {
    return this.#held.loads.length;
  }

  run(step: Step): Promise<void> | void {
    switch (step.kind) {
      case 'show':
        this.first = step.first;
        return this.#after(() => this.list.show(step.first, step.first + 15));
      case 'open':
        this.first = 0;
        return this.#after(() => this.list.open('all'));
      case 'change':
        this.version += 1;
        return this.#after(() => this.list.refresh());
      default:
        return this.#finish(step.at, step.kind === 'fail');
    }
  }

  retry(): void {
    this.#after(() => this.list.retry());
  }

  #after(work: () => void): void {
    work();
    for (const load of this.#held.loads) {
      if (!this.#versions.has(load)) this.#versions.set(load, this.version);
    }
  }

  async #finish(at: number, isFailure: boolean): Promise<void> {
    const [load] = this.inFlight === 0 ? [] : this.#held.loads.splice(at % this.inFlight, 1);
    if (load === undefined) return;
    await (isFailure ? load.fail() : load.answer(page(load.window, 400, this.#versions.get(load))));
  }
}

describe('a windowed list with answers in any order', () => {
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ kind: fc.constant('show' as const), first: fc.integer({ min: 0, max: 380 }) }),
    fc.record({ kind: fc.constantFrom('change' as const, 'open' as const) }),
    fc.record({ kind: fc.constantFrom('answer' as const, 'fail' as const), at: fc.nat(5) }),
  );

  it('shows the latest rows when all loads are answered, whatever happened before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.nat(5), async (steps, at) => {
        const source = new ChangingList();
        const { list } = source;
        source.run({ kind: 'open' });
        for (const each of steps) await source.run(each);
        // A window that failed is loaded again by the retry.
        source.retry();
        while (source.inFlight > 0) await source.run({ kind: 'answer', at });
        for (let index = source.first; index <= source.first + 15; index += 1) {
          expect(list.rowAt(index)).toEqual({ id: `r${index}`, version: source.version });
        }
        expect(stateOf(list)).toMatchObject({ total: 400, error: null });
      }),
      { numRuns: 150 },
    );
  });
});
