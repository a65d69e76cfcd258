import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkProfile } from '../../../../electron/engine/doctor/check-computer.ts';
import { inspectProfile } from '../../../../electron/engine/doctor/inspect-profile.ts';
import type { Engine } from '../../../../electron/engine/engine.ts';
import { createMemoryKeychain } from '../../../../electron/engine/ports/keychain-memory.ts';
import { nodeClock } from '../../../../electron/engine/ports/node-clock.ts';
import { nodeProfileFacts } from '../../../../electron/engine/ports/node-profile-facts.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import type { Finding } from '../../../../shared/contract/doctor.ts';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { allRows, openTestDesk, type TestProfile } from '../../../helpers/engine-host.ts';
import { takeQueueBack } from '../../../helpers/queue-of-version.ts';
import { clientFor } from '../../../helpers/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service-process.ts';

let service: ServiceProcess;
let profile: TestProfile;
let engine: Engine;
let siteId: string;
let collectionId: string;
let dir: string;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

beforeEach(async () => {
  ({ profile, engine, siteId, collectionId, dir } = await openTestDesk(service, 'doctor'));
});
afterEach(async () => {
  await engine.stop();
  profile.remove();
  rmSync(dir, { recursive: true, force: true });
});

async function upload(...names: string[]): Promise<void> {
  for (const name of names) writeFileSync(join(dir, name), `contents of ${name}`);
  await engine.call('uploads.add', {
    siteId,
    collectionId,
    paths: names.map((name) => join(dir, name)),
    defaults: batchDefaultsSchema.parse({ duplicates: 'upload' }),
  });
  engine.startUploads();
  await engine.whenUploadsIdle();
}

/** Changes the queue behind the program’s back. */
async function tamper(sql: string): Promise<void> {
  await engine.stop();
  const database = new DatabaseSync(join(profile.dir, 'queue.db'));
  database.exec(sql);
  database.close();
}

const troubles = (findings: readonly Finding[]) =>
  findings.filter(({ severity }) => severity !== 'ok').map(({ code }) => code);

async function inspected(): Promise<string[]> {
  return troubles((await inspectProfile(profile.dir, Date.now())).report.findings);
}

async function examined(all = false): Promise<Finding[]> {
  return (await engine.call('app.doctor', { all })).findings;
}

/** This profile lives in memory, which the doctor rightly remarks on. */
const found = async (all = false) => troubles(await examined(all)).filter((code) => code !== 'keychain.memory');

it('finds nothing wrong with a profile whose uploads are all there, and says what it looked at', async () => {
  await upload('a.bin', 'b.bin');
  const findings = await examined(true);
  expect(troubles(findings)).toEqual(['keychain.memory']);
  expect(findings.map(({ code }) => code)).toEqual([
    'database.sound',
    'rows.in-order',
    'profile.in-order',
    'keychain.memory',
    'files.there',
    'service.signed-in',
    'service.uploads-there',
  ]);
  for (const { severity, nextStep } of findings) if (severity === 'problem') expect(nextStep).not.toBeNull();
});

describe('rows that say what can’t be true', () => {
  const set = (change: string) => `UPDATE uploads SET ${change}`;
  it.each([
    ['rows.unknown-state', set(`state = 'levitating'`)],
    ['rows.complete-without-proof', set('completed_at = NULL')],
    ['rows.file-without-item', set(`state = 'queued', ended_at = NULL, media_id = NULL`)],
    ['rows.sent-without-file', set(`state = 'queued', ended_at = NULL, file_id = NULL`)],
    ['rows.end-without-time', set('ended_at = NULL')],
    ['rows.open-with-end', set(`state = 'paused'`)],
    ['rows.failed-without-reason', set(`state = 'failed'`)],
    ['rows.waiting-for-nothing', set(`state = 'waiting', ended_at = NULL`)],
    ['rows.bad-size', set('size_bytes = -1')],
    ['rows.bad-attempts', set('attempts = -1')],
    ['rows.bad-attempts', set(`tries = '{"send":{"count":15,"answered":0}}'`)],
    ['rows.future-time', set(`added_at = ${Date.UTC(2200, 0, 1)}`)],
    ['rows.unreadable', set(`tags = 'no json'`)],
    ['rows.unknown-site', `${set(`state = 'queued', ended_at = NULL`)}; DELETE FROM sites`],
    ['database.orphans', 'PRAGMA foreign_keys = OFF; DELETE FROM batches'],
    ['history.duplicates', set(`sha256 = 'same'`)],
    [
      'rows.shared-item',
      `DROP INDEX uploads_by_media; UPDATE uploads SET media_id = (SELECT min(media_id) FROM uploads)`,
    ],
  ])('%s', async (code, sql) => {
    await upload('a.bin', 'b.bin');
    await tamper(sql);
    expect(await inspected()).toContain(code);
  });
});

describe('a database that is not right', () => {
  it('is told when it is damaged, and left as it is', async () => {
    await upload('a.bin');
    await engine.stop();
    writeFileSync(join(profile.dir, 'queue.db'), 'this is no database at all, however long it may be '.repeat(200));
    rmSync(join(profile.dir, 'queue.db-wal'), { force: true });
    const { report, canOpen } = await inspectProfile(profile.dir, Date.now());
    expect([troubles(report.findings), canOpen]).toEqual([['database.damaged'], false]);
  });

  it('is told when it is of another version, and not brought up to date', async () => {
    await tamper('PRAGMA user_version = 999');
    expect(await inspected()).toEqual(['database.newer']);
    const database = new DatabaseSync(join(profile.dir, 'queue.db'));
    database.exec('PRAGMA user_version = 1');
    database.close();
    takeQueueBack(join(profile.dir, 'queue.db'), 1);
    expect(await inspected()).toEqual(['database.older']);
  });

  it('is no trouble when there is none yet', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'mediadesk-empty-'));
    const { report, canOpen } = await inspectProfile(empty, Date.now());
    rmSync(empty, { recursive: true });
    expect([report.findings.map(({ code }) => code), canOpen]).toEqual([['database.none'], false]);
  });

  it('is read while Mediadesk has the profile', async () => {
    await upload('a.bin');
    expect(await inspected()).toEqual([]);
  });
});

describe('the library', () => {
  it('no longer has an item', async () => {
    await upload('a.bin', 'b.bin');
    const [row] = await allRows(engine);
    await engine.call('library.deleteMedia', { siteId, mediaId: row?.mediaId ?? '' });
    expect(await found()).toEqual(['service.upload-gone']);
  });

  it('holds another number of bytes', async () => {
    await upload('a.bin');
    await tamper('UPDATE uploads SET size_bytes = size_bytes + 1');
    engine = await profile.open();
    expect(await found()).toEqual(['service.upload-differs']);
  });

  it('keeps an empty file beside the real one, or the same file twice', async () => {
    await upload('a.bin');
    const [row] = await allRows(engine);
    const client = await clientFor(service);
    const path = `/api2/media/${row?.mediaId}/files`;
    await client.post(path, { upload_name: 'left.bin', upload_size: 5 });
    expect(await found()).toEqual(['service.placeholder-left']);
    await client.upload(`/api2/media/${row?.mediaId}`, 'a.bin', Buffer.from('contents of a.bin'));
    await expect.poll(() => found(), { timeout: 10_000 }).toEqual(['service.placeholder-left', 'service.file-twice']);
  });

  it('keeps the item of a cancelled upload', async () => {
    await upload('a.bin');
    await tamper(`UPDATE uploads SET state = 'cancelled', completed_at = NULL`);
    engine = await profile.open();
    expect(await found()).toEqual(['service.cancelled-item']);
  });

  it('may keep the item of a cancelled upload: nobody was told whether it was made', async () => {
    await upload('a.bin');
    await tamper(
      `UPDATE uploads SET state = 'cancelled', completed_at = NULL, media_id = NULL, file_id = NULL, sent_at = NULL`,
    );
    engine = await profile.open();
    expect(await found()).toEqual(['service.cancelled-unclear']);
  });

  it('does not know who we are, or does not answer', async () => {
    await upload('a.bin');
    await engine.call('sites.signOut', { siteId });
    expect(await found()).toEqual(['service.not-signed-in']);
  });

  it('has another time', async () => {
    await engine.stop();
    const anHourAhead = { ...nodeClock, now: () => nodeClock.now() + 3_600_000 };
    engine = await profile.open({ clock: anHourAhead });
    expect(await found()).toEqual(['service.clock-differs']);
  });
});

describe('this computer', () => {
  it('misses a file that waits, or has another one in its place', async () => {
    await engine.call('uploads.pause', { kind: 'all' });
    await upload('gone.bin', 'changed.bin');
    rmSync(join(dir, 'gone.bin'));
    writeFileSync(join(dir, 'changed.bin'), 'something longer than it was before');
    expect(await found()).toEqual(['files.missing', 'files.changed']);
  });

  it('shows the profile to others, or has no room', async () => {
    chmodSync(profile.dir, 0o755);
    expect(await found()).toEqual(['profile.open-to-others']);
    const scarce = { ...nodeProfileFacts, freeBytes: async () => 10_000_000, isWritable: async () => false };
    expect(troubles(await checkProfile(profile.dir, scarce))).toEqual([
      'profile.not-writable',
      'profile.open-to-others',
      'disk.scarce',
    ]);
  });

  it('has a keychain that does not answer', async () => {
    await engine.stop();
    const locked = { ...createMemoryKeychain(), kind: 'system' as const };
    locked.get = async () => {
      throw appError('keychain.locked');
    };
    engine = await profile.open({ keychain: locked });
    expect(await found()).toContain('keychain.unreachable');
  });

  it('kept what failed after an upload', async () => {
    writeFileSync(join(dir, 'take.bin'), 'x');
    await engine.call('uploads.add', {
      siteId,
      collectionId,
      paths: [join(dir, 'take.bin')],
      defaults: batchDefaultsSchema.parse({ source: { kind: 'trash' } }),
    });
    engine.startUploads();
    await engine.whenUploadsIdle();
    expect(await found()).toEqual(['follow-ups.failed']);
  });
});

describe('an empty item that belongs to no upload', () => {
  const make = async (title: string) => {
    const library = await clientFor(service);
    return library.createItem(title, { collection_id: collectionId });
  };

  it('is reported when it was created while an upload created its own, whatever its title', async () => {
    await upload('a.bin');
    const made = await make('Something else');
    const orphan = (await examined()).find(({ code }) => code === 'service.item-orphan');
    expect(orphan).toMatchObject({
      severity: 'warning',
      nextStep: expect.stringContaining('delete'),
      details: { count: 1, first: [{ mediaId: made.split('/').at(-1), title: 'Something else' }] },
    });
  });

  it('is not reported once it has a file', async () => {
    await upload('a.bin');
    const library = await clientFor(service);
    await library.upload(await make('Of a colleague'), 'b.bin', Buffer.from('b'));
    expect(await found()).not.toContain('service.item-orphan');
  });

  it('is reported with the title of an upload although the clocks differ by hours', async () => {
    await upload('a.bin');
    await make('A');
    await tamper('UPDATE uploads SET item_intent_at = item_intent_at - 7200000, item_intent_server_at = NULL');
    engine = await profile.open();
    expect(await found()).toContain('service.item-orphan');
    await make('Something else');
    const orphan = (await examined()).find(({ code }) => code === 'service.item-orphan');
    expect(orphan?.details).toMatchObject({ count: 1 });
  });
});
