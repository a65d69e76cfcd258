import { describe, expect, onTestFinished } from 'vitest';
import type { BulkChange } from '../../../../shared/contract/edits.ts';
import { mediaQuerySchema } from '../../../../shared/contract/library.ts';
import { Desk, it } from '../../../helpers/engine/desk.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import type { ServiceProcess } from '../../../helpers/service/service-process.ts';
import { type ChangingProxy, startChangingProxy } from '../../../helpers/wire/changing-proxy.ts';

/**
 * One item, seen from both sides. `created`: here, this computer has just read it and no pass has listed it; there,
 * someone creates it after the last pass. `hidden`: the account may not see it, here since before, there from now on.
 */
const STATES = ['unchanged', 'changed', 'created', 'deleted', 'hidden'] as const;
type State = (typeof STATES)[number];

/** How it ends: what the library has, what lists here show, and the question or refusal on the way with its answer. */
interface Exit {
  library: string | null;
  listed: string | null;
  asks?: 'edit.conflict' | 'edit.item-gone' | 'api.forbidden';
  answer?: 'mine' | 'theirs' | 'drop' | 'show and retry';
}

/** [here, there, exit]. `null`: the item is not there. */
const MATRIX: readonly [State, State, Exit][] = [
  ['unchanged', 'unchanged', { library: 'Talk', listed: 'Talk' }],
  ['unchanged', 'changed', { library: 'Theirs', listed: 'Theirs' }],
  ['unchanged', 'created', { library: 'Talk', listed: 'Talk' }],
  ['unchanged', 'deleted', { library: null, listed: null }],
  ['unchanged', 'hidden', { library: 'Talk', listed: null }],

  ['changed', 'unchanged', { library: 'Mine', listed: 'Mine' }],
  ['changed', 'changed', { library: 'Mine', listed: 'Mine', asks: 'edit.conflict', answer: 'mine' }],
  ['changed', 'changed', { library: 'Theirs', listed: 'Theirs', asks: 'edit.conflict', answer: 'theirs' }],
  ['changed', 'created', { library: 'Mine', listed: 'Mine' }],
  ['changed', 'deleted', { library: null, listed: null, asks: 'edit.item-gone', answer: 'drop' }],
  ['changed', 'hidden', { library: 'Talk', listed: null, asks: 'api.forbidden', answer: 'drop' }],
  ['changed', 'hidden', { library: 'Mine', listed: 'Mine', asks: 'api.forbidden', answer: 'show and retry' }],

  ['created', 'unchanged', { library: 'Talk', listed: 'Talk' }],
  ['created', 'changed', { library: 'Theirs', listed: 'Theirs' }],
  ['created', 'created', { library: 'Talk', listed: 'Talk' }],
  ['created', 'deleted', { library: null, listed: null }],
  ['created', 'hidden', { library: 'Talk', listed: null }],

  ['deleted', 'unchanged', { library: null, listed: null }],
  ['deleted', 'changed', { library: null, listed: null, asks: 'edit.conflict', answer: 'mine' }],
  ['deleted', 'changed', { library: 'Theirs', listed: 'Theirs', asks: 'edit.conflict', answer: 'theirs' }],
  ['deleted', 'created', { library: null, listed: null }],
  ['deleted', 'deleted', { library: null, listed: null }],
  ['deleted', 'hidden', { library: 'Talk', listed: null, asks: 'api.forbidden', answer: 'drop' }],

  ['hidden', 'unchanged', { library: 'Talk', listed: 'Talk' }],
  ['hidden', 'changed', { library: 'Theirs', listed: 'Theirs' }],
  ['hidden', 'created', { library: 'Talk', listed: 'Talk' }],
  ['hidden', 'deleted', { library: null, listed: null }],
  ['hidden', 'hidden', { library: 'Talk', listed: null }],
];

const MINE: Partial<Record<State, BulkChange>> = {
  changed: { title: { kind: 'set', value: 'Mine' } },
  deleted: { delete: true },
};

/** A signed-in engine behind a proxy that can hide items, as missing rights do. */
class MatrixWorld {
  readonly desk: Desk;
  readonly client: ServiceClient;
  readonly #proxy: ChangingProxy;
  readonly #hidden = new Set<string>();

  private constructor(desk: Desk, client: ServiceClient, proxy: ChangingProxy) {
    this.desk = desk;
    this.client = client;
    this.#proxy = proxy;
  }

  static async open(service: ServiceProcess): Promise<MatrixWorld> {
    const proxy = await startChangingProxy(service.baseUrl);
    const desk = await Desk.open(service, {}, { ...service, baseUrl: proxy.baseUrl });
    onTestFinished(async () => {
      await desk.close();
      await proxy.close();
    });
    return new MatrixWorld(desk, await clientFor(service), proxy);
  }

  async create(title = 'Talk'): Promise<string> {
    const path = await this.client.createItem(title, { collection_id: this.desk.collectionId });
    return path.split('/').at(-1) ?? '';
  }

  hide(id: string, isHidden = true): void {
    if (isHidden) this.#hidden.add(id);
    else this.#hidden.delete(id);
    this.#proxy.change({
      reply: (reply, { url, method }) => {
        const path = url.split('?')[0] ?? '';
        const itemId = /^\/api2\/media\/(\d+)/.exec(path)?.[1];
        if (itemId !== undefined && this.#hidden.has(itemId)) {
          return { ...reply, status: 403, headers: { 'content-type': 'application/json' }, body: '{"message":"No."}' };
        }
        if (method !== 'GET' || reply.status !== 200) return reply;
        if (path === '/api2/media/count') {
          const { count } = JSON.parse(reply.body) as { count: number };
          return { ...reply, body: JSON.stringify({ count: count - this.#hidden.size }) };
        }
        if (path !== '/api2/media') return reply;
        const list = JSON.parse(reply.body) as { items: { id: string }[] };
        return {
          ...reply,
          body: JSON.stringify({ ...list, items: list.items.filter(({ id: each }) => !this.#hidden.has(each)) }),
        };
      },
    });
  }

  sync() {
    return this.desk.engine.call('library.syncNow', { siteId: this.desk.siteId });
  }

  /** The title in the lists of this computer; null: it is not listed. Throws when it is listed twice. */
  async listed(id: string): Promise<string | null> {
    const { siteId, collectionId } = this.desk;
    const query = mediaQuerySchema.parse({ siteId, collectionId, sort: 'title', order: 'asc' });
    const { rows } = await this.desk.engine.call('library.mediaWindow', { query, offset: 0, limit: 200 });
    const found = rows.filter((row) => row.id === id);
    expect(found.length).toBeLessThanOrEqual(1);
    return found[0]?.title ?? null;
  }

  async inLibrary(id: string): Promise<string | null> {
    const { status, body } = await this.client.get(`/api2/media/${id}`);
    return status === 200 ? body.title : null;
  }

  async open() {
    const page = { groupId: null, filter: 'open', entityId: null, offset: 0, limit: 10 } as const;
    return (await this.desk.engine.call('edits.groupRows', page)).rows;
  }
}

/** Brings this side to its state, and the other side in between: after the review, before the edit. */
async function meet(world: MatrixWorld, here: State, there: State): Promise<string> {
  const { desk } = world;
  const { engine, siteId } = desk;
  let id = there === 'created' || here === 'created' ? '' : await world.create();
  await world.sync();
  if (here === 'hidden' && id !== '') {
    world.hide(id);
    await world.sync();
    expect(await world.listed(id)).toBeNull();
  }
  if (here === 'created') {
    id = await world.create();
    await engine.call('library.media', { siteId, mediaId: id });
    // Of two new items with the same title each is listed once.
    if (there === 'created') await world.create();
  } else if (there === 'created') id = await world.create();
  const change = MINE[here];
  const selection = { siteId, ids: [id] };
  const plan = change && (await engine.call('edits.plan', { selection, change, planId: null, offset: 0, limit: 0 }));
  if (here === 'hidden') world.hide(id, there === 'hidden');
  if (there === 'changed') await world.client.post(`/api2/media/${id}`, { title: 'Theirs' });
  if (there === 'deleted') await world.client.delete(`/api2/media/${id}`);
  if (there === 'hidden') world.hide(id);
  if (plan !== undefined) await engine.call('edits.apply', { planId: plan.planId, except: [], label: '' });
  await engine.whenEditsIdle();
  return id;
}

async function answer(world: MatrixWorld, id: string, how: Exit['answer']): Promise<void> {
  const { engine } = world.desk;
  const rows = { groupId: null, filter: 'attention' } as const;
  if (how === 'mine' || how === 'theirs')
    await engine.call('edits.resolve', { rows, field: null, choice: { kind: how } });
  else if (how === 'drop') await engine.call('edits.drop', rows);
  else {
    world.hide(id, false);
    await engine.call('edits.retry', rows);
  }
  await engine.whenEditsIdle();
}

describe('an item that is here and there', () => {
  it.for(MATRIX)('%s and %s ends as %o', { timeout: 60_000 }, async ([here, there, exit], { service }) => {
    const world = await MatrixWorld.open(service);
    const id = await meet(world, here, there);
    const [asking] = await world.open();
    expect(asking?.error?.code).toBe(exit.asks);
    if (exit.asks !== undefined) {
      // Until the user decides, the item stays in lists.
      await world.sync();
      expect(await world.listed(id)).not.toBeNull();
      await answer(world, id, exit.answer);
    }
    await world.sync();
    expect(await world.open()).toEqual([]);
    expect({ library: await world.inLibrary(id), listed: await world.listed(id) }).toEqual({
      library: exit.library,
      listed: exit.listed,
    });
  });

  it('has an exit for every pair of states', () => {
    const pairs = new Set(MATRIX.map(([here, there]) => `${here} ${there}`));
    expect(pairs.size).toBe(STATES.length ** 2);
  });
});
