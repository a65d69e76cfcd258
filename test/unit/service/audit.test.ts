import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { actingFor } from '../../../service/audit/acting.ts';
import { deleteOldAudit, openAudit } from '../../../service/audit/audit.ts';
import { type AuditRecord, auditPages } from '../../../service/audit/audit-rows.ts';
import { UNWATCHED, WATCHED } from '../../../service/audit/watched-tables.ts';
import { openStore } from '../../../service/database/database.ts';
import type { Store } from '../../../service/database/store.ts';
import { DEFAULT_SETTINGS, openSettings } from '../../../service/site/settings.ts';

const DAY_MS = 86_400_000;
let folder: string;
let store: Store;
let nowMs: number;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'library-audit-'));
  store = await openStore(join(folder, 'library.sqlite'));
  nowMs = Date.UTC(2026, 10, 29);
  await openAudit(store, () => nowMs);
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const rows = async (): Promise<AuditRecord[]> => {
  const all: AuditRecord[] = [];
  for await (const page of auditPages(store, {})) all.push(...page);
  return all;
};
const addTag = (name: string) => store.insert('INSERT INTO tags (display_name) VALUES (?) RETURNING id', name);
function addUser(name: string): Promise<number> {
  return store.insert(
    `INSERT INTO users (email_address, first_name, last_name, unique_id, is_admin, password_hash, created_on, modified_on)
     VALUES (?, 'A', 'B', ?, 0, 'scrypt-hash', 1, 1) RETURNING id`,
    `${name}@library.example`,
    name,
  );
}
const acting = (userId: number) => ({ userId, clientId: 'app', address: '192.0.2.1', request: 'POST /x' });

describe('the audit', () => {
  test('watches every table of the schema, or names it as one that is not watched', async () => {
    const tables = (await store.all<{ name: string }>(`SELECT name FROM main.sqlite_schema WHERE type = 'table'`))
      .map(({ name }) => name)
      .filter((name) => !/^(sqlite_|media_text_)/.test(name));
    expect([...new Set([...WATCHED.map(({ table }) => table), ...UNWATCHED])].sort()).toEqual(tables.sort());
  });

  test('has no row of a transaction that was undone, and the row of the next one', async () => {
    await expect(
      store.transaction(async () => {
        await addTag('undone');
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    await addTag('kept');
    expect((await rows()).map(({ action, target }) => [action, target.name])).toEqual([['tag.create', 'kept']]);
  });

  test('undoes a change whose row cannot be written', async () => {
    await store.run(`CREATE TEMP TRIGGER full BEFORE INSERT ON main.audit BEGIN SELECT raise(ABORT, 'full'); END`);
    await expect(addTag('lost')).rejects.toThrow('full');
    expect(await store.all('SELECT * FROM tags')).toEqual([]);
  });

  test('has no row of a statement that failed within a transaction that went on', async () => {
    await store.transaction(async () => {
      await addTag('first');
      await expect(store.run(`INSERT INTO tags (display_name) VALUES ('second'), ('first')`)).rejects.toThrow('UNIQUE');
    });
    expect((await rows()).map(({ target }) => target.name)).toEqual(['first']);
  });

  test('never lets a row be changed, replaced or deleted', async () => {
    await addTag('a');
    const [{ id = 0 } = {}] = await rows();
    const only = 'only added to';
    await expect(store.run(`UPDATE audit SET actor = 'x'`)).rejects.toThrow(only);
    await expect(store.run('DELETE FROM audit')).rejects.toThrow(only);
    await expect(
      store.run(
        `INSERT OR REPLACE INTO audit (id, at, action, target_kind, target_id) VALUES (?, 1, 'x', 'x', 'x')`,
        id,
      ),
    ).rejects.toThrow(only);
    expect(await rows()).toHaveLength(1);
  });

  test('keeps rows for the set number of days, and for ever with 0', async () => {
    await addTag('old');
    nowMs += 400 * DAY_MS;
    await addTag('new');
    const site = async (audit_days: number) => ({
      store,
      now: () => nowMs,
      settings: { ...(await openSettings(store)), current: () => ({ ...DEFAULT_SETTINGS, audit_days }) },
    });
    await deleteOldAudit(await site(400));
    expect(await rows()).toHaveLength(2);
    nowMs += 1;
    await deleteOldAudit(await site(0));
    expect(await rows()).toHaveLength(2);
    await deleteOldAudit(await site(400));
    expect((await rows()).map(({ target }) => target.name)).toEqual(['new']);
  });

  test('names each of two users whose requests run at the same time', async () => {
    const [ann, ben] = [await addUser('ann'), await addUser('ben')];
    const request = (user: number, name: string) =>
      new Promise<void>((resolve, reject) => {
        actingFor(acting(user), () => {
          (async () => {
            for (let n = 0; n < 20; n += 1) {
              await addTag(`${name} ${n}`);
              await setImmediate();
            }
          })().then(resolve, reject);
        });
      });
    await Promise.all([request(ann, 'ann'), request(ben, 'ben')]);
    await addTag('system');
    const tags = (await rows()).filter(({ action }) => action === 'tag.create');
    expect(tags).toHaveLength(41);
    for (const { actor, target } of tags) {
      const name = target.name?.split(' ')[0];
      expect(actor?.email_address ?? 'system').toBe(name === 'system' ? name : `${name}@library.example`);
    }
  });

  test('keeps the e-mail address of a user who deleted the own account', async () => {
    const ann = await addUser('ann');
    await actingFor(acting(ann), () => store.run('DELETE FROM users WHERE id = ?', ann));
    expect((await rows()).at(-1)).toMatchObject({
      action: 'user.delete',
      actor: { id: String(ann), email_address: 'ann@library.example' },
    });
  });

  test('has no password hash, no secret of the settings and no query of an address', async () => {
    const ann = await addUser('ann');
    await store.run(`UPDATE users SET password_hash = 'scrypt-other' WHERE id = ?`, ann);
    const settings = await openSettings(store);
    await settings.patch({
      webhook_url: 'https://portal.example/hook?key=abcdef',
      webhook_secret: 'first-secret-of-all',
    });
    await settings.patch({ webhook_secret: 'second-secret-of-all' });
    await settings.patch({ webhook_secret: 'second-secret-of-all' });
    const text = JSON.stringify(await rows());
    expect(text).not.toMatch(/scrypt|secret-of-all|abcdef/);
    expect((await rows()).map(({ action, before, after }) => [action, before, after])).toEqual([
      ['user.create', null, expect.objectContaining({ password: 'set', email_address: 'ann@library.example' })],
      ['user.update', { password: 'set' }, { password: 'changed' }],
      [
        'settings.create',
        null,
        expect.objectContaining({ webhook_url: 'https://portal.example', webhook_secret: 'set' }),
      ],
      ['settings.update', { webhook_secret: 'set' }, { webhook_secret: 'changed' }],
    ]);
  });

  test('has only the origin of the address of the webhook, and that the address changed', async () => {
    const settings = await openSettings(store);
    await settings.patch({
      webhook_url: 'https://chat.example/services/T0/first-path',
      webhook_secret: 'x'.repeat(16),
    });
    await settings.patch({ webhook_url: 'https://chat.example/services/T0/second-path' });
    await settings.patch({ webhook_url: 'https://chat.example/services/T0/second-path?key=third-path' });
    await settings.patch({ webhook_url: 'https://other.example:8443/fourth-path' });
    await settings.patch({ webhook_url: null });
    expect(JSON.stringify(await rows())).not.toMatch(/-path|services/);
    const [, ...changes] = (await rows()).map(({ before, after }) => [before, after]);
    const chat = 'https://chat.example';
    expect(changes.map((sides) => sides.map((side) => (side as { webhook_url: unknown }).webhook_url))).toEqual([
      [chat, `${chat} (changed)`],
      [chat, `${chat} (changed)`],
      [chat, 'https://other.example:8443'],
      ['https://other.example:8443', null],
    ]);
  });

  test('keeps hostile names as data, and long ones in part', async () => {
    const hostile = '\u0000\u001b[2J\u202e"\\\'; DROP TABLE audit; --\n{"end":true}';
    const long = 'é'.repeat(10_000);
    const id = await addTag(long);
    await store.run('UPDATE tags SET display_name = ? WHERE id = ?', hostile, id);
    const [created, renamed] = await rows();
    expect(created?.target.name).toBe(`${'é'.repeat(1000)}…`);
    expect(renamed?.after).toEqual({ display_name: expect.stringContaining('\u001b[2J\u202e') });
    expect(JSON.stringify(await rows()).length).toBeLessThan(10_000);
  });

  test('records a change behind the first thousand characters of a text', async () => {
    const id = await addTag(`${'x'.repeat(2000)}a`);
    await store.run('UPDATE tags SET display_name = ? WHERE id = ?', `${'x'.repeat(2000)}b`, id);
    expect((await rows()).map(({ action }) => action)).toEqual(['tag.create', 'tag.update']);
  });
});
