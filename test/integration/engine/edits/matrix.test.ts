import { describe, expect, onTestFinished } from 'vitest';
import type { BulkChange } from '../../../../shared/contract/edits.ts';
import { mediaQuerySchema } from '../../../../shared/contract/library.ts';
import { Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { type Exit, MATRIX, STATES, type State, withoutItems } from '../../../helpers/library/two-sides.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import type { ServiceProcess } from '../../../helpers/service/service-process.ts';
import { isLongRun } from '../../../helpers/test-extent.ts';
import { type ChangingProxy, startChangingProxy } from '../../../helpers/wire/changing-proxy.ts';

const it = deskTest();

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
    this.#proxy.change({ reply: withoutItems(this.#hidden) });
  }

  sync() {
    return this.desk.engine.call('library.syncNow', { siteId: this.desk.siteId });
  }

  /** Returns the title in the lists of this computer; null: the item is not listed. Throws when it is listed twice. */
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

/**
 * Puts the item into the state `here` on this computer and `there` in the library. The library changes it after the edit was
 * planned and before the edit is applied. Returns the id of the item.
 */
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
    // Each of two new items with the same title is listed once.
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

/** The dialects of the library in turns; in a long run every pair in each of them. */
const DIALECTS = ['reference', 'lean', 'strict'];
const CASES = MATRIX.flatMap(([here, there, exit], index) => {
  const dialects = isLongRun ? DIALECTS : DIALECTS.filter((_, turn) => turn === index % DIALECTS.length);
  return dialects.map((dialect) => [here, there, exit, dialect] as const);
});

describe('an item with one state on this computer and one in the library', () => {
  it.for(CASES)('(%s here, %s there) ends as %o (%s)', { timeout: 300_000 }, async (each, { service }) => {
    const [here, there, exit, dialect] = each;
    await service.control('PATCH', '/settings', { dialect });
    const world = await MatrixWorld.open(service);
    const id = await meet(world, here, there);
    const [asking] = await world.open();
    expect(asking?.error?.code).toBe(exit.asks);
    if (exit.asks !== undefined) {
      // Until the user decides, lists still contain the item.
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

  it('has an expected end for every pair of states', () => {
    const pairs = new Set(MATRIX.map(([here, there]) => `${here} ${there}`));
    expect(pairs.size).toBe(STATES.length ** 2);
  });
});
