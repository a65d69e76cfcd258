import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect } from 'vitest';
import { checkProfile } from '../../../../electron/engine/doctor/check-computer.ts';
import { inspectProfile } from '../../../../electron/engine/doctor/inspect-profile.ts';
import { createMemoryKeychain } from '../../../../electron/engine/ports/system/keychain-memory.ts';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { nodeProfileFacts } from '../../../../electron/engine/ports/system/node-profile-facts.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import type { Finding } from '../../../../shared/contract/doctor.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { takeQueueBack } from '../../../helpers/engine/queue-of-version.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';

const it = deskTest();

async function upload(desk: Desk, ...names: string[]): Promise<void> {
  const paths = names.map((name) => desk.put(name, `contents of ${name}`));
  await desk.add(paths, { duplicates: 'upload' });
  await desk.run();
}

/** Changes the queue database as another program could. */
async function tamper({ engine, profile }: Desk, sql: string): Promise<void> {
  await engine.stop();
  const database = new DatabaseSync(join(profile.dir, 'queue.db'));
  database.exec(sql);
  database.close();
}

const troubles = (findings: readonly Finding[]) =>
  findings.filter(({ severity }) => severity !== 'ok').map(({ code }) => code);

async function inspected({ profile }: Desk): Promise<string[]> {
  return troubles((await inspectProfile(profile.dir, Date.now())).report.findings);
}

async function examined({ engine }: Desk, all = false): Promise<Finding[]> {
  return (await engine.call('app.doctor', { all })).findings;
}

/** The codes of all findings except the one about the keychain, which is in memory in these profiles. */
const found = async (desk: Desk) => troubles(await examined(desk)).filter((code) => code !== 'keychain.memory');

it('the doctor finds nothing wrong, and lists its checks, when all uploads are in the library', async ({ desk }) => {
  await upload(desk, 'a.bin', 'b.bin');
  const findings = await examined(desk, true);
  expect(troubles(findings)).toEqual(['keychain.memory']);
  expect(findings.map(({ code }) => code)).toEqual([
    'database.sound',
    'rows.in-order',
    'profile.in-order',
    'keychain.memory',
    'files.there',
    'network.route',
    'network.trust',
    'service.signed-in',
    'service.uploads-there',
  ]);
  for (const { severity, nextStep } of findings) if (severity === 'problem') expect(nextStep).not.toBeNull();
});

describe('damaged or contradictory rows', () => {
  const set = (change: string) => `UPDATE uploads SET ${change}`;
  const putFollowUp = (seq: string, kind: string) =>
    `INSERT INTO follow_ups (upload_seq, position, kind, state, path, file_name, attempts, was_tried, looks)
     SELECT ${seq}, 0, '${kind}', 'done', '', '', 0, 0, 0 FROM uploads`;
  it.for<[string, string]>([
    ['rows.unknown-state', set(`state = 'levitating'`)],
    ['rows.complete-without-proof', set('completed_at = NULL')],
    ['rows.file-without-item', set(`state = 'queued', ended_at = NULL, media_id = NULL`)],
    ['rows.sent-without-file', set(`state = 'queued', ended_at = NULL, file_id = NULL`)],
    ['rows.end-without-time', set('ended_at = NULL')],
    ['rows.open-with-end', set(`state = 'paused'`)],
    ['rows.open-but-hidden', set(`state = 'paused', ended_at = NULL, cleared_at = 1`)],
    ['rows.failed-without-reason', set(`state = 'failed'`)],
    ['rows.waiting-for-nothing', set(`state = 'waiting', ended_at = NULL`)],
    ['rows.bad-size', set('size_bytes = -1')],
    ['rows.bad-attempts', set('attempts = -1')],
    ['rows.bad-attempts', set(`tries = '{"send":{"count":15,"answered":0}}'`)],
    ['rows.future-time', set(`added_at = ${Date.UTC(2200, 0, 1)}`)],
    ['rows.unreadable', set(`tags = 'no json'`)],
    ['rows.unreadable', putFollowUp('seq', 'captious')],
    ['rows.wrong-error-code', set(`error_code = 'file.missing'`)],
    ['rows.wrong-error-code', set(`error = '{"code":"file.missing"}'`)],
    ['database.orphans', `PRAGMA foreign_keys = OFF; ${putFollowUp('seq + 100', 'tags')}`],
    ['rows.unknown-site', `${set(`state = 'queued', ended_at = NULL`)}; DELETE FROM sites`],
    ['database.orphans', 'PRAGMA foreign_keys = OFF; DELETE FROM batches'],
    ['history.duplicates', set(`sha256 = 'same'`)],
    [
      'rows.shared-item',
      `DROP INDEX uploads_by_media; UPDATE uploads SET media_id = (SELECT min(media_id) FROM uploads)`,
    ],
  ])('are reported as %s', async ([code, sql], { desk }) => {
    await upload(desk, 'a.bin', 'b.bin');
    await tamper(desk, sql);
    expect(await inspected(desk)).toContain(code);
  });
});

describe('the database', () => {
  const fileOf = ({ profile }: Desk) => join(profile.dir, 'queue.db');
  const versionOf = (desk: Desk) => {
    using database = new DatabaseSync(fileOf(desk), { readOnly: true });
    return database.prepare('PRAGMA user_version').get()?.user_version;
  };

  it('is reported as damaged, is not to be opened and is left unchanged when it is no SQLite file', async ({
    desk,
  }) => {
    await upload(desk, 'a.bin');
    await desk.engine.stop();
    writeFileSync(fileOf(desk), 'this is no database at all, however long it may be '.repeat(200));
    rmSync(`${fileOf(desk)}-wal`, { force: true });
    const contents = () =>
      readdirSync(desk.profile.dir, { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile())
        .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'base64')]);
    const before = contents();
    const { report, canOpen } = await inspectProfile(desk.profile.dir, Date.now());
    expect([troubles(report.findings), canOpen]).toEqual([['database.damaged'], false]);
    expect(contents()).toEqual(before);
  });

  it('is reported as newer or older, and is not migrated, when it has another version', async ({ desk }) => {
    await tamper(desk, 'PRAGMA user_version = 999');
    const newer = readFileSync(fileOf(desk));
    expect(await inspected(desk)).toEqual(['database.newer']);
    expect([versionOf(desk), readFileSync(fileOf(desk)).equals(newer)]).toEqual([999, true]);
    takeQueueBack(fileOf(desk), 1);
    const older = readFileSync(fileOf(desk));
    expect(await inspected(desk)).toEqual(['database.older']);
    expect([versionOf(desk), readFileSync(fileOf(desk)).equals(older)]).toEqual([1, true]);
  });

  it('is reported without a problem when it does not exist yet', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'mediadesk-empty-'));
    const { report, canOpen } = await inspectProfile(empty, Date.now());
    rmSync(empty, { recursive: true });
    expect([report.findings.map(({ code }) => code), canOpen]).toEqual([['database.none'], false]);
  });

  it('is checked, without a finding, while a running Mediadesk has the profile open', async ({ desk }) => {
    await upload(desk, 'a.bin');
    expect(await inspected(desk)).toEqual([]);
  });
});

describe('a file that this profile deleted is not reported', () => {
  it('when a new file replaced it, and the new file was deleted afterwards', async ({ desk }) => {
    await upload(desk, 'a.bin');
    const [row] = await desk.rows();
    const { siteId } = desk;
    const item = { siteId, mediaId: row?.mediaId ?? '' };
    await desk.engine.call('files.replace', { ...item, fileId: row?.fileId ?? '', path: desk.put('b.bin') });
    await desk.engine.whenUploadsIdle();
    expect(await found(desk)).toEqual([]);
    const newer = (await desk.rows()).find(({ fileName }) => fileName === 'b.bin');
    await desk.engine.call('files.delete', { ...item, fileId: newer?.fileId ?? '', name: 'b.bin' });
    expect(await found(desk)).toEqual([]);
  });

  it('when its item or its collection was deleted', async ({ desk }) => {
    const { engine, siteId, collectionId } = desk;
    await upload(desk, 'a.bin');
    const [row] = await desk.rows();
    await engine.call('library.deleteMedia', { siteId, mediaId: row?.mediaId ?? '' });
    expect(await found(desk)).toEqual([]);
    await upload(desk, 'b.bin');
    const confirmed = await engine.call('library.planDeletion', { siteId, collectionIds: [collectionId] });
    await engine.call('library.deleteCollections', { siteId, collectionIds: [collectionId], confirmed });
    expect(await found(desk)).toEqual([]);
  });
});

describe('a library is reported when it', () => {
  it('no longer has the item of an upload', async ({ desk, service }) => {
    await upload(desk, 'a.bin', 'b.bin');
    const [row] = await desk.rows();
    await (await clientFor(service)).delete(`/api2/media/${row?.mediaId}`);
    expect(await found(desk)).toEqual(['service.upload-gone']);
  });

  it('stores another number of bytes than the upload had', async ({ desk }) => {
    await upload(desk, 'a.bin');
    await tamper(desk, 'UPDATE uploads SET size_bytes = size_bytes + 1');
    await desk.reopen();
    expect(await found(desk)).toEqual(['service.upload-differs']);
  });

  it('has an empty file beside the real one, or the same file twice', async ({ desk, service }) => {
    await upload(desk, 'a.bin');
    const [row] = await desk.rows();
    const client = await clientFor(service);
    const path = `/api2/media/${row?.mediaId}/files`;
    await client.post(path, { upload_name: 'left.bin', upload_size: 5 });
    expect(await found(desk)).toEqual(['service.placeholder-left']);
    await client.upload(`/api2/media/${row?.mediaId}`, 'a.bin', Buffer.from('contents of a.bin'));
    await expect
      .poll(() => found(desk), { timeout: 60_000 })
      .toEqual(['service.placeholder-left', 'service.file-twice']);
  });

  it('still has the item of a cancelled upload', async ({ desk }) => {
    await upload(desk, 'a.bin');
    await tamper(desk, `UPDATE uploads SET state = 'cancelled', completed_at = NULL`);
    await desk.reopen();
    expect(await found(desk)).toEqual(['service.cancelled-item']);
  });

  it('may have the item of a cancelled upload whose creation was not answered', async ({ desk }) => {
    await upload(desk, 'a.bin');
    await tamper(
      desk,
      `UPDATE uploads SET state = 'cancelled', completed_at = NULL, media_id = NULL, file_id = NULL, sent_at = NULL`,
    );
    await desk.reopen();
    expect(await found(desk)).toEqual(['service.cancelled-unclear']);
  });

  it('has an account that is signed out', async ({ desk }) => {
    await upload(desk, 'a.bin');
    await desk.engine.call('sites.signOut', { siteId: desk.siteId });
    expect(await found(desk)).toEqual(['service.not-signed-in']);
  });

  it('has a clock that differs from this computer’s', async ({ desk }) => {
    const anHourAhead = { ...nodeClock, now: () => nodeClock.now() + 3_600_000 };
    await desk.reopen({ clock: anHourAhead });
    expect(await found(desk)).toEqual(['service.clock-differs']);
  });
});

describe('a computer is reported when it', () => {
  it('has no file for a queued upload, or a changed one', async ({ desk }) => {
    await desk.engine.call('uploads.pause', { kind: 'all' });
    await upload(desk, 'gone.bin', 'changed.bin');
    rmSync(join(desk.dir, 'gone.bin'));
    desk.put('changed.bin', 'something longer than it was before');
    expect(await found(desk)).toEqual(['files.missing', 'files.changed']);
  });

  it('has a profile that other users can open, or little free disk space', async ({ desk }) => {
    chmodSync(desk.profile.dir, 0o755);
    expect(await found(desk)).toEqual(['profile.open-to-others']);
    const scarce = { ...nodeProfileFacts, freeBytes: async () => 10_000_000, isWritable: async () => false };
    expect(troubles(await checkProfile(desk.profile.dir, scarce))).toEqual([
      'profile.not-writable',
      'profile.open-to-others',
      'disk.scarce',
    ]);
  });

  it('has a keychain that does not answer', async ({ desk }) => {
    const locked = { ...createMemoryKeychain(), kind: 'system' as const };
    locked.get = async () => {
      throw appError('keychain.locked');
    };
    await desk.reopen({ keychain: locked });
    expect(await found(desk)).toContain('keychain.unreachable');
  });

  it('has a follow-up that failed', async ({ desk }) => {
    await desk.add([desk.put('take.bin')], { source: { kind: 'trash' } });
    await desk.run();
    expect(await found(desk)).toEqual(['follow-ups.failed']);
  });
});

describe('an empty item that belongs to no upload', () => {
  const make = async ({ service, collectionId }: Desk, title: string) => {
    const library = await clientFor(service);
    return library.createItem(title, { collection_id: collectionId });
  };

  it('is reported, even with another title, when it was created while an upload created its item', async ({ desk }) => {
    await upload(desk, 'a.bin');
    const made = await make(desk, 'Something else');
    const orphan = (await examined(desk)).find(({ code }) => code === 'service.item-orphan');
    expect(orphan).toMatchObject({
      severity: 'warning',
      nextStep: expect.stringContaining('Delete those that aren’t'),
      details: { count: 1, first: [{ mediaId: made.split('/').at(-1), title: 'Something else' }] },
    });
  });

  it('is not reported once it has a file', async ({ desk, service }) => {
    await upload(desk, 'a.bin');
    const library = await clientFor(service);
    await library.upload(await make(desk, 'Of a colleague'), 'b.bin', Buffer.from('b'));
    expect(await found(desk)).not.toContain('service.item-orphan');
  });

  it('is not reported when it was deleted after it was listed, and the check continues', async ({ desk, service }) => {
    await upload(desk, 'a.bin');
    const made = await make(desk, 'Something else');
    await service.control('POST', '/faults', {
      method: 'GET',
      path: `^/api2/media/${made.split('/').at(-1)}/files`,
      times: null,
      action: { kind: 'status', status: 404 },
    });
    try {
      expect(await found(desk)).toEqual([]);
    } finally {
      await service.control('DELETE', '/faults');
    }
    expect(await found(desk)).toEqual(['service.item-orphan']);
  });

  it('is reported when it has the title of an upload and the clocks differ by hours', async ({ desk }) => {
    await upload(desk, 'a.bin');
    await make(desk, 'A');
    await tamper(desk, 'UPDATE uploads SET item_intent_at = item_intent_at - 7200000, item_intent_server_at = NULL');
    await desk.reopen();
    expect(await found(desk)).toContain('service.item-orphan');
    await make(desk, 'Something else');
    const orphan = (await examined(desk)).find(({ code }) => code === 'service.item-orphan');
    expect(orphan?.details).toMatchObject({ count: 1 });
  });
});
