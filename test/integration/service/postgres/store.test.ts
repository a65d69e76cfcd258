import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AUDIT_NOTES } from '../../../../service/audit/audit.ts';
import { openPostgresStore } from '../../../../service/database/postgres/store.ts';
import type { Store } from '../../../../service/database/store.ts';
import { outsideTransactions } from '../../../../service/database/transaction-scope.ts';
import { ask, type PostgresServer, postgresPrograms, startPostgres } from '../../../helpers/service/postgres.ts';

const describeWithServer = describe.skipIf(postgresPrograms() === undefined);

describeWithServer('a library in PostgreSQL', () => {
  let server: PostgresServer;
  const opened: Store[] = [];
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });
  afterAll(() => server.stop());

  async function open(connectionString: string): Promise<Store> {
    const store = await openPostgresStore({ isShared: true, connectionString, connections: 4 });
    opened.push(store);
    return store;
  }
  const addTag = (store: Store, name: string) =>
    store.insert('INSERT INTO tags (display_name) VALUES (?) RETURNING id', name);
  const COUNT = `SELECT value FROM meta WHERE key = 'count'`;
  const until = async (is: () => Promise<boolean>) => {
    while (!(await is())) await new Promise((resolve) => setImmediate(resolve));
  };

  test('is migrated once by processes that start at the same time', async () => {
    const address = await server.create();
    const stores = await Promise.all([open(address), open(address), open(address)]);
    await addTag(stores[0], 'one');
    expect(await stores[2].all('SELECT display_name FROM tags')).toEqual([{ display_name: 'one' }]);
  });

  test('has every change of transactions that change the same row at the same time', async () => {
    const address = await server.create();
    const [one, other] = [await open(address), await open(address)];
    await one.run(`INSERT INTO meta (key, value) VALUES ('count', '0')`);
    const add = (store: Store) =>
      store.transaction(async () => {
        const row = await store.get<{ value: string }>(`SELECT value FROM meta WHERE key = 'count'`);
        await store.run(`UPDATE meta SET value = ? WHERE key = 'count'`, String(Number(row?.value) + 1));
      });
    await Promise.all(Array.from({ length: 20 }, (_, index) => add(index % 2 === 0 ? one : other)));
    expect(await one.get(`SELECT value FROM meta WHERE key = 'count'`)).toEqual({ value: '20' });
  });

  test('reads and changes tables to which another version has added columns', async () => {
    const address = await server.create();
    const store = await open(address);
    await addTag(store, 'one');
    const all = () => store.all('SELECT * FROM tags ORDER BY id');
    const change = () =>
      store.transaction(async () => {
        await addTag(store, `another ${(await all()).length}`);
      });
    for (const column of ['shelf', 'room']) {
      await Promise.all(Array.from({ length: 8 }, all));
      await change();
      await ask(address, `ALTER TABLE tags ADD COLUMN ${column} TEXT NOT NULL DEFAULT 'none'`);
      await change();
      const rows = await Promise.all(Array.from({ length: 8 }, all));
      for (const each of rows) expect(each[0]).toMatchObject({ display_name: 'one', [column]: 'none' });
    }
  });

  test('refuses a row that two transactions found missing, to the slower one, which sees the other', async () => {
    const address = await server.create();
    const [one, other] = [await open(address), await open(address)];
    const addOnce = (store: Store) =>
      store.transaction(async () => {
        const isTaken = await store.get(
          'SELECT 1 FROM tags WHERE display_name COLLATE NOCASE = ? COLLATE NOCASE',
          'NEW',
        );
        return isTaken !== undefined ? 'taken' : await addTag(store, 'new');
      });
    const results = await Promise.all([addOnce(one), addOnce(other), addOnce(one), addOnce(other)]);
    expect(results.filter((result) => result === 'taken')).toHaveLength(3);
  });

  test.each([
    ['a table to which another version has added a column', 'ALTER TABLE tags ADD COLUMN added TEXT', false, 'mine'],
    ['a row that was added meanwhile', `INSERT INTO tags (display_name) VALUES ('mine')`, true, 'mine (2)'],
  ])('after conflicts, a transaction also gets past %s', async (_, meanwhile, isAfterRead, expected) => {
    const address = await server.create();
    const store = await open(address);
    let tried = 0;
    const name = await store.transaction(async () => {
      tried += 1;
      if (tried === 4 && !isAfterRead) await ask(address, meanwhile);
      const rows = await store.all<{ display_name: string }>('SELECT * FROM tags');
      if (tried <= 3) await store.run('DO $$ BEGIN RAISE serialization_failure; END $$');
      if (tried === 4 && isAfterRead) await ask(address, meanwhile);
      const free = rows.some((row) => row.display_name === 'mine') ? 'mine (2)' : 'mine';
      await addTag(store, free);
      return free;
    });
    expect({ tried, name }).toEqual({ tried: 5, name: expected });
  });

  test('a transaction that met two conflicts runs alone: others of this process begin after it', async () => {
    const address = await server.create();
    const [one, other] = [await open(address), await open(address)];
    await one.run(`INSERT INTO meta (key, value) VALUES ('count', '0')`);
    const set = (store: Store, value: string) => store.run(`UPDATE meta SET value = ? WHERE key = 'count'`, value);
    const order: string[] = [];
    let attempts = 0;
    let beside: Promise<void> | undefined;
    await one.transaction(async () => {
      attempts += 1;
      const attempt = attempts;
      await one.get(COUNT);
      if (attempt < 3) await outsideTransactions(() => set(other, `of another process ${attempt}`));
      else beside = outsideTransactions(() => one.transaction(async () => void order.push('beside')));
      // Long enough for a transaction that does not wait.
      for (let n = 0; n < 200; n += 1) await one.get(COUNT);
      await set(one, 'own');
      order.push(`attempt ${attempt}`);
    });
    await beside;
    expect(order).toEqual(['attempt 3', 'beside']);
  });

  test('transactions that have all connections do not wait for a result that others compute', async () => {
    const store = await open(await server.create());
    const result = () =>
      store.derived('access', 'tags', async () => (await store.all('SELECT display_name FROM tags')).length);
    const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
    let outside: Promise<number> | undefined;
    let running = 0;
    const inside = Array.from({ length: 4 }, () =>
      store.transaction(async () => {
        running += 1;
        if (running === 4) {
          outside = outsideTransactions(result);
          ask();
        }
        await isAsked;
        return await result();
      }),
    );
    expect(await Promise.all(inside)).toEqual([0, 0, 0, 0]);
    expect(await outside).toBe(0);
  });

  test('undoes a transaction that fails, and one that goes on after a statement failed', async () => {
    const store = await open(await server.create());
    const failing = store.transaction(async () => {
      await addTag(store, 'lost');
      throw new Error('the work failed');
    });
    await expect(failing).rejects.toThrow('the work failed');
    const goingOn = store.transaction(async () => {
      await addTag(store, 'lost');
      await store.run('SELECT * FROM nothing').catch(() => undefined);
    });
    await expect(goingOn).rejects.toThrow('nothing');
    expect(await store.all('SELECT * FROM tags')).toEqual([]);
  });

  test('does what waits for the end of a transaction once, and never for one that is undone', async () => {
    const address = await server.create();
    const [one, other] = [await open(address), await open(address)];
    await one.run(`INSERT INTO meta (key, value) VALUES ('count', '0')`);
    const done: string[] = [];
    const add = (store: Store, name: string) =>
      store.transaction(async () => {
        await store.afterCommit(async () => void done.push(`${name} ${(await store.get(COUNT)) !== undefined}`));
        const row = await store.get<{ value: string }>(COUNT);
        await store.run(`UPDATE meta SET value = ? WHERE key = 'count'`, String(Number(row?.value) + 1));
        if (name === 'undone') throw new Error('undone');
      });
    const names = Array.from({ length: 8 }, (_, index) => String(index));
    await Promise.all(names.map((name, index) => add(index % 2 === 0 ? one : other, name)));
    await expect(add(one, 'undone')).rejects.toThrow('undone');
    expect(done.sort()).toEqual(names.map((name) => `${name} true`));
    await one.afterCommit(() => void done.push('at once'));
    expect(done.at(-1)).toBe('at once');
  });

  test('lets one process at a time do a work, and the next one when it has ended or failed', async () => {
    const address = await server.create();
    const [one, other] = [await open(address), await open(address)];
    const done: string[] = [];
    await one.exclusively('sweep', async () => {
      await other.exclusively('sweep', async () => void done.push('other'));
      await other.exclusively('another', async () => void done.push('another'));
      done.push('one');
    });
    expect(done).toEqual(['another', 'one']);
    const failing = one.exclusively('sweep', () => Promise.reject(new Error('failed')));
    await expect(failing).rejects.toThrow('failed');
    await until(async () => {
      await other.exclusively('sweep', async () => void done.push('other'));
      return done.includes('other');
    });
  });

  test('does each work that this process asks for, one after the other', async () => {
    const store = await open(await server.create());
    const done: string[] = [];
    const work = (name: string) =>
      store.exclusively('sweep', async () => {
        done.push(`${name} begins`);
        await store.get('SELECT 1 FROM meta');
        done.push(`${name} ends`);
      });
    await Promise.all([work('one'), work('two')]);
    expect(done).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
  });

  test('drops what is kept when this process changes something, and when another one does', async () => {
    const address = await server.create();
    const [one, other] = [await open(address), await open(address)];
    const count = () =>
      one.derived('collections', 'count', async () => {
        const row = await one.get<{ count: number }>('SELECT count(*) AS count FROM collections');
        return row?.count;
      });
    const add = (store: Store, slug: string) =>
      store.run(
        `INSERT INTO collections (slug, display_name, description, description_plain, inherit_memberships, is_podcast,
           autotranscribe_enabled, autotranscribe_subcollections, created_on, modified_on)
         VALUES (?, '', '', '', 1, 0, 0, 0, 1, 1)`,
        slug,
      );
    expect(await count()).toBe(0);
    await add(one, 'own');
    expect(await count()).toBe(1);
    await add(other, 'foreign');
    await until(async () => (await count()) === 2);
    const inside = one.transaction(async () => {
      await add(one, 'undone');
      expect(await count()).toBe(3);
      throw new Error('undone');
    });
    await expect(inside).rejects.toThrow('undone');
    expect(await count()).toBe(2);
  });

  test('keeps no text of an item that has changed since its row was read, here or elsewhere', async () => {
    const address = await server.create();
    const [one, other] = [await open(address), await open(address)];
    const root = await one.insert(
      `INSERT INTO collections (slug, display_name, description, description_plain, inherit_memberships, is_podcast,
         autotranscribe_enabled, autotranscribe_subcollections, created_on, modified_on)
       VALUES ('root', '', '', '', 1, 0, 0, 0, 1, 1) RETURNING id`,
    );
    const add = () =>
      one.insert(
        `INSERT INTO media (collection_id, status, title, description, description_plain, created_on, modified_on)
         VALUES (?, 'draft', 'Title', '', '', 1, 1) RETURNING id`,
        root,
      );
    const [id, another] = [await add(), await add()];
    const keep = (since: number) => one.keepItemText(id, 'text', since);
    keep(one.itemChanges());
    expect(one.itemText(id)).toBe('text');
    await one.run('UPDATE media SET title = ? WHERE id = ?', 'Other', another);
    expect(one.itemText(id)).toBe('text');
    const since = one.itemChanges();
    await one.run('UPDATE media SET title = ? WHERE id = ?', 'Own', id);
    expect(one.itemText(id)).toBeUndefined();
    keep(since);
    expect(one.itemText(id)).toBeUndefined();
    keep(one.itemChanges());
    const tag = await addTag(one, 'tag');
    await other.run('INSERT INTO media_tags (media_id, tag_id) VALUES (?, ?)', id, tag);
    await until(async () => one.itemText(id) === undefined);
  });

  test('says that it is not available while the server is down, and goes on when it is back, with nothing kept', async () => {
    const store = await open(await server.create());
    let made = 0;
    const derived = () =>
      store.derived('access', 'number', async () => {
        made += 1;
        return made;
      });
    expect([await derived(), await derived()]).toEqual([1, 1]);
    await server.kill();
    await expect(store.get('SELECT 1 FROM meta')).rejects.toMatchObject({ name: 'StorageUnavailable' });
    await expect(addTag(store, 'lost')).rejects.toMatchObject({ name: 'StorageUnavailable' });
    // Nothing is kept while no notifications come.
    const isMadeAgain = async () => {
      const before = await derived();
      return (await derived()) > before;
    };
    await until(isMadeAgain);
    await server.start();
    await addTag(store, 'kept');
    expect(await store.all('SELECT display_name FROM tags')).toEqual([{ display_name: 'kept' }]);
    await until(async () => !(await isMadeAgain()));
  }, 60_000);

  test('notes the changes of a transaction for the audit, which may refuse them', async () => {
    const store = await open(await server.create());
    await addTag(store, 'before');
    await store.noteChanges(AUDIT_NOTES);
    const noted: Record<string, unknown>[] = [];
    store.beforeCommit(async () => {
      noted.push(
        ...(await store.all<Record<string, unknown>>('SELECT kind, op, name, fields FROM audit_pending ORDER BY seq')),
      );
      if (noted.length > 2) throw new Error('refused');
      await store.run('DELETE FROM audit_pending');
    });
    const id = await addTag(store, 'a'.repeat(1500));
    await store.run('UPDATE tags SET display_name = ? WHERE id = ?', 'b', id);
    const long = `${'a'.repeat(1000)}…`;
    const rows = noted.map(({ fields, ...row }) => ({ ...row, fields: JSON.parse(String(fields)) }));
    expect(rows).toEqual([
      { kind: 'tag', op: 'insert', name: long, fields: { display_name: [null, long] } },
      { kind: 'tag', op: 'update', name: 'b', fields: { display_name: [long, 'b'] } },
    ]);
    await expect(addTag(store, 'c')).rejects.toThrow('refused');
    expect(await store.all('SELECT display_name FROM tags ORDER BY id')).toEqual([
      { display_name: 'before' },
      { display_name: 'b' },
    ]);
  });
});
