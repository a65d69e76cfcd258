// What others change between two statements of one work.

import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAccessRegister } from '../../../service/access/access.ts';
import { revoke } from '../../../service/accounts/invitations.ts';
import { issueLink, redeemLink } from '../../../service/accounts/links.ts';
import { doDueWork } from '../../../service/app/due-work.ts';
import { copyOpenDatabase } from '../../../service/database/copy-database.ts';
import { openStore } from '../../../service/database/database.ts';
import type { Bindable, Store } from '../../../service/database/store.ts';
import { outsideTransactions, transactionNow } from '../../../service/database/transaction-scope.ts';
import { createSignIn, startSignedIn } from '../../../service/oauth/sign-in.ts';
import { apiRoutes } from '../../../service/resources/api-router.ts';
import { createPasswords } from '../../../service/secrets/passwords.ts';
import { hashToken } from '../../../service/secrets/random-token.ts';
import { createSigner } from '../../../service/secrets/signer.ts';
import { seedOnce } from '../../../service/seed/seed.ts';
import { POSTPROCESS_PURPOSE } from '../../../service/signed-urls/upload-descriptor.ts';
import type { JournalEntry } from '../../../service/site/journal.ts';
import { createJournal } from '../../../service/site/journal.ts';
import { openSettings } from '../../../service/site/settings.ts';
import type { Call, Site } from '../../../service/site/site.ts';
import { createTraffic } from '../../../service/site/traffic.ts';
import { createArrivals } from '../../../service/storage/arrivals.ts';
import type { IncomingBlob } from '../../../service/storage/blobs.ts';
import { openDiskBlobs } from '../../../service/storage/disk-blobs.ts';
import { openScratch } from '../../../service/storage/scratch.ts';
import { OutcomeUnknown } from '../../../service/storage/storage-unavailable.ts';
import { completeUpload, storeUploadedFile } from '../../../service/uploads/file-arrival.ts';
import { REFERENCE } from '../../../service/wire/dialect.ts';
import type { Problem } from '../../../service/wire/problem.ts';

const PASSWORD = 'correct horse battery';
let folder: string;
let store: Store;
let site: Site;
/** The names of the blobs that were removed. */
const removed: string[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'library-interleaving-'));
  store = await openStore(join(folder, 'library.sqlite'));
  const passwords = createPasswords({ cost: { N: 2, r: 8, p: 1 } });
  const scratch = openScratch(folder);
  const blobs = await openDiskBlobs(folder, scratch);
  const admin = { email_address: 'admin@library.example', password: PASSWORD };
  await seedOnce(store, { blobs, scratch }, 'bulk:3:1', admin, passwords, 1e12);
  site = {
    store,
    passwords,
    scratch,
    journal: createJournal(),
    arrivals: createArrivals(),
    traffic: createTraffic(),
    blobs: { ...blobs, remove: async (name: string) => void removed.push(name) },
    settings: await openSettings(store),
    access: createAccessRegister(store),
    signer: createSigner(Buffer.alloc(32)),
    dialect: () => REFERENCE,
    now: () => 2e12,
    log: () => {},
    webhook: { wake() {} },
    processing: { wake() {} },
  } as unknown as Site;
});
beforeEach(() => {
  removed.length = 0;
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/**
 * Returns a site in which `work` of others begins once a statement with `part` has been answered: before the next step, unless that is
 * in a transaction, whose end it then waits for.
 */
function interruptedAt(part: string, work: () => Promise<unknown>): Site {
  let isDone = false;
  const meanwhile = async (sql: string) => {
    if (isDone || !sql.includes(part)) return;
    isDone = true;
    const ended = outsideTransactions(work);
    if (transactionNow() === undefined) await ended;
  };
  const noted: Store = {
    ...store,
    async all<Row>(sql: string, ...params: Bindable[]) {
      const rows = await store.all<Row>(sql, ...params);
      await meanwhile(sql);
      return rows;
    },
    async get<Row>(sql: string, ...params: Bindable[]) {
      const row = await store.get<Row>(sql, ...params);
      await meanwhile(sql);
      return row;
    },
  };
  return { ...site, store: noted };
}

/** An upload of which nothing has been heard for years. */
async function addUpload(storedName: string | null): Promise<{ id: number; token: string }> {
  const media = await store.get<{ id: number }>('SELECT min(id) AS id FROM media');
  const admin = await store.get<{ id: number }>('SELECT min(id) AS id FROM users WHERE is_admin = 1');
  const id = await store.insert(
    `INSERT INTO files (media_id, source, type, status, display_name, declared_size, size, stored_name, created_on, modified_on,
       created_by, created_at, activity_at) VALUES (?, 'upload', 'video', 'uploading', 'a.mp4', 4, 4, ?, 1, 1, ?, 1, 1) RETURNING id`,
    media?.id ?? 0,
    storedName,
    admin?.id ?? 0,
  );
  return { id, token: site.signer.sign(POSTPROCESS_PURPOSE, { id }) };
}
const fileOf = (id: number) =>
  store.get<{ status: string; stored_name: string }>('SELECT status, stored_name FROM files WHERE id = ?', id);

test('an upload that is completed while others are given up keeps its bytes', async () => {
  const upload = await addUpload('bytes');
  const other = await addUpload('other');
  await doDueWork(interruptedAt('AS since FROM files', () => completeUpload(site, upload.token, () => {})));
  expect(await fileOf(upload.id)).toEqual({ status: 'processing', stored_name: 'bytes' });
  expect(await fileOf(other.id)).toEqual({ status: 'aborted', stored_name: null });
  expect(removed).toEqual(['other']);
});

test('the completion of an upload that is given up meanwhile is refused', async () => {
  const { id, token } = await addUpload('bytes');
  const giveUp = () => store.run(`UPDATE files SET status = 'aborted' WHERE id = ?`, id);
  // The last of the checks.
  const given = interruptedAt('FROM users WHERE id = ?', giveUp);
  await expect(completeUpload(given, token, () => {})).rejects.toMatchObject({ status: 410 });
});

test('bytes that a row may name are kept when the outcome of its transaction is unknown', async () => {
  const { id } = await addUpload(null);
  const lost: Store = {
    ...store,
    async transaction(work) {
      await store.transaction(work);
      throw new OutcomeUnknown('database ECONNRESET');
    },
  };
  const incoming = { keep: async () => 'kept' } as unknown as IncomingBlob;
  const grant = { k: 'file', id, size: 4 } as Parameters<typeof storeUploadedFile>[1];
  await expect(storeUploadedFile({ ...site, store: lost }, grant, incoming, 'a.mp4', () => {})).rejects.toThrow(
    OutcomeUnknown,
  );
  expect(await fileOf(id)).toEqual({ status: 'uploading', stored_name: 'kept' });
  expect(removed).toEqual([]);
});

test('a change that waits for another one is refused when read-only mode begins meanwhile', async () => {
  await store.run(
    `INSERT INTO oauth_tokens (hash, kind, family, client_id, user_id, scope, created_at, expires_at)
     VALUES (?, 'access', 'f', 'mediadesk', 1, '', 1, 3000000000000)`,
    hashToken('waiting'),
  );
  let isReadOnly = false;
  const waiting: Store = {
    ...store,
    transaction(work) {
      isReadOnly = true;
      return store.transaction(work);
    },
  };
  const settings = { ...site.settings, current: () => ({ ...site.settings.current(), read_only: isReadOnly }) };
  const app = Fastify();
  app.setErrorHandler((error: Problem, _request, reply) => reply.code(error.status).send({ message: error.message }));
  const routes = apiRoutes(
    app,
    { ...site, store: waiting, settings },
    () => ({ effects: [] }) as unknown as JournalEntry,
  );
  let hasRun = false;
  routes.post('/x', async () => {
    hasRun = true;
    return { status: 200 };
  });
  const answer = await app.inject({ method: 'POST', url: '/x', headers: { authorization: 'Bearer waiting' } });
  expect([answer.statusCode, hasRun]).toEqual([503, false]);
});

test('of settings that are changed at the same time, none is lost', async () => {
  const { settings } = site;
  await Promise.all([
    settings.patch({ audit_days: 7 }),
    settings.patch({ podcast_feeds: true }),
    settings.patch({ quota_site_bytes: 5 }),
  ]);
  const all = { audit_days: 7, podcast_feeds: true, quota_site_bytes: 5 };
  expect(settings.current()).toMatchObject(all);
  expect((await openSettings(store)).current()).toMatchObject(all);
});

test('a password that is replaced while someone signs in with it starts no session', async () => {
  const user = { id: 1, email_address: 'admin@library.example' };
  const token = await issueLink(site, user, 'reset');
  const hash = await site.passwords.hash('another good password');
  const credentials = { email: user.email_address, address: '192.0.2.1', deviceCookie: undefined };
  const result = await createSignIn(site)({ ...credentials, password: PASSWORD });
  if (result.kind !== 'signed-in') throw new Error('The password was right when it was checked.');
  await redeemLink(site, token, hash);
  expect(await startSignedIn(site, result, undefined)).toBeUndefined();
  expect(await store.all('SELECT 1 FROM sessions')).toEqual([]);
  const later = await createSignIn(site)({ ...credentials, password: 'another good password' });
  expect(later.kind === 'signed-in' && (await startSignedIn(site, later, undefined))).toEqual(expect.any(String));
});

test('an invitation that is accepted while it is revoked leaves no user without an account', async () => {
  const id = await store.insert(
    `INSERT INTO users (email_address, first_name, last_name, unique_id, is_admin, created_on, modified_on, is_invited)
     VALUES ('new@library.example', 'A', 'B', 'basic:new@library.example', 0, 1, 1, 1) RETURNING id`,
  );
  const token = await issueLink(site, { id, email_address: 'new@library.example' }, 'invitation');
  let accepted: Promise<unknown> | undefined;
  const given = interruptedAt('u.is_invited = 1', () => {
    accepted = redeemLink(site, token, 'hash');
    return accepted;
  });
  const caller = { userId: 1, isAdmin: true, clientId: '', scope: '' };
  await revoke({ site: given, caller, nowOn: 2e9, effect: () => {} } satisfies Call, id);
  const isThere = (await store.get('SELECT 1 FROM users WHERE id = ?', id)) !== undefined;
  expect(isThere).toBe((await accepted) !== undefined);
});

test('a copy of the database waits for the end of a transaction', async () => {
  const db = new DatabaseSync(join(folder, 'copied.sqlite'));
  db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; CREATE TABLE a (x); BEGIN IMMEDIATE');
  db.exec('INSERT INTO a VALUES (1)');
  const fd = openSync(join(folder, 'copied.sqlite'), 'r');
  // Committed when the copy has looked a few times.
  let looked = 0;
  const signal = {
    throwIfAborted() {
      looked += 1;
      if (looked === 3) db.exec('COMMIT');
    },
  } as AbortSignal;
  await copyOpenDatabase(db, fd, join(folder, 'copy.sqlite'), signal);
  const copy = new DatabaseSync(join(folder, 'copy.sqlite'));
  expect(copy.prepare('SELECT x FROM a').all()).toEqual([{ x: 1 }]);
  copy.close();
  db.close();
  closeSync(fd);
});
