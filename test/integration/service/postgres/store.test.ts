import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AUDIT_NOTES } from '../../../../service/audit/audit.ts';
import { openPostgresStore, type PostgresStore } from '../../../../service/database/postgres/store.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../../../helpers/service/postgres.ts';

const describeWithServer = describe.skipIf(postgresPrograms() === undefined);

describeWithServer('a library in PostgreSQL', () => {
  let server: PostgresServer;
  const opened: PostgresStore[] = [];
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });
  afterAll(() => server.stop());

  async function open(connectionString: string): Promise<PostgresStore> {
    const store = await openPostgresStore({ connectionString, connections: 4 });
    opened.push(store);
    return store;
  }
  const addTag = (store: PostgresStore, name: string) =>
    store.insert('INSERT INTO tags (display_name) VALUES (?) RETURNING id', name);
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
    const add = (store: PostgresStore) =>
      store.transaction(async () => {
        const row = await store.get<{ value: string }>(`SELECT value FROM meta WHERE key = 'count'`);
        await store.run(`UPDATE meta SET value = ? WHERE key = 'count'`, String(Number(row?.value) + 1));
      });
    await Promise.all(Array.from({ length: 20 }, (_, index) => add(index % 2 === 0 ? one : other)));
    expect(await one.get(`SELECT value FROM meta WHERE key = 'count'`)).toEqual({ value: '20' });
  });

  test('refuses a row that two transactions found missing, to the slower one, which sees the other', async () => {
    const address = await server.create();
    const [one, other] = [await open(address), await open(address)];
    const addOnce = (store: PostgresStore) =>
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

  test('drops what is kept when this process changes something, and when another one does', async () => {
    const address = await server.create();
    const [one, other] = [await open(address), await open(address)];
    const count = () =>
      one.derived('collections', 'count', async () => {
        const row = await one.get<{ count: number }>('SELECT count(*) AS count FROM collections');
        return row?.count;
      });
    const add = (store: PostgresStore, slug: string) =>
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
