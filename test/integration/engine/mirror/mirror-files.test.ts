import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it as plainIt } from 'vitest';
import { openDatabase } from '../../../../electron/engine/store/database.ts';
import { deskTest } from '../../../helpers/engine/desk.ts';
import { signInEngine, signingInAs } from '../../../helpers/engine/engine-host.ts';
import { MirrorDesk, SITE } from '../../../helpers/engine/mirror-desk.ts';

const it = deskTest();

const filesIn = (dir: string) => (existsSync(dir) ? readdirSync(dir).sort() : []);

async function syncedDesk(items: number): Promise<MirrorDesk> {
  const desk = await MirrorDesk.open();
  desk.library.pageSize = 200;
  for (let index = 0; index < items; index += 1) {
    desk.library.now += 60;
    desk.library.add(`item ${index} river`, { description_plain: 'x'.repeat(200), tags: [`tag ${index % 7}`] });
  }
  await desk.pass();
  return desk;
}

/** Lists in every order, and searches. Returns the items of each list; null for a list: the copy is not ready. */
async function use(desk: MirrorDesk) {
  const lists = (['created_on', 'title', 'modified_on', 'publish_on', 'duration', 'popularity'] as const).map((sort) =>
    desk.listed({ sort }),
  );
  const found = desk.listed({ search: 'item ive' });
  const tagged = desk.listed({ search: 'tag:"tag 3"' });
  return [...lists, found, tagged];
}

describe('the file of a mirror', () => {
  plainIt('is created again and reported when a page with contents is damaged', { timeout: 300_000 }, async () => {
    const desk = await syncedDesk(150);
    const expected = await use(desk);
    desk.mirrors.stop();
    const path = join(desk.dir, 'mirror', `${SITE}.sqlite`);
    const intact = readFileSync(path);
    const pageSize = intact.readUInt16BE(16) === 1 ? 65_536 : intact.readUInt16BE(16);
    const pages = intact.length / pageSize;
    let reported = 0;
    for (let page = 0; page < pages; page += 1) {
      writeFileSync(path, intact);
      const file = openSync(path, 'r+');
      writeSync(file, Buffer.alloc(pageSize / 2, 0xa5), 0, pageSize / 2, page * pageSize + (page === 0 ? 0 : 8));
      closeSync(file);
      desk.log.lines.length = 0;
      await desk.restart();
      await use(desk);
      await desk.mirrors.check(SITE);
      const isReported = desk.log.lines.some(({ event }) => event === 'mirror.damaged');
      reported += Number(isReported);
      if (isReported) expect(desk.mirrors.status(SITE).phase).toBe('none');
      await desk.pass();
      expect(await use(desk), `page ${page + 1}`).toEqual(expected);
      expect(desk.mirrors.status(SITE).phase).toBe('ready');
      desk.mirrors.stop();
    }
    // Damage in a free page is not detected, because it has no contents.
    expect(reported).toBeGreaterThan(pages * 0.9);
  });

  plainIt.each([
    ['is cut off', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 5000))],
    ['is empty', (path: string) => writeFileSync(path, '')],
    ['is no database', (path: string) => writeFileSync(path, 'something else')],
  ])('is created again and reported when it %s', async (_name, damage) => {
    const desk = await syncedDesk(30);
    const expected = desk.listed();
    desk.mirrors.stop();
    damage(join(desk.dir, 'mirror', `${SITE}.sqlite`));
    await desk.restart();
    expect(desk.mirrors.damageOf(SITE)?.code).toBe('library.copy-damaged');
    await desk.pass();
    expect(desk.listed()).toEqual(expected);
  });

  plainIt('is created again when a newer version of the program wrote it', async () => {
    const desk = await syncedDesk(10);
    desk.mirrors.stop();
    const database = await openDatabase(join(desk.dir, 'mirror', `${SITE}.sqlite`));
    database.exec('PRAGMA user_version = 99');
    database.close();
    await desk.restart();
    expect(desk.listed()).toBeNull();
    await desk.pass();
    expect(desk.listed()).toEqual(desk.expected());
  });

  plainIt('is removed or not read when it belongs to another account', async () => {
    const desk = await syncedDesk(10);
    desk.mirrors.stop();
    copyFileSync(join(desk.dir, 'mirror', `${SITE}.sqlite`), join(desk.dir, 'mirror', 'site-2.sqlite'));
    await desk.restart();
    // Files of unknown accounts are removed at the start.
    expect(filesIn(join(desk.dir, 'mirror')).filter((name) => name.includes('site-2'))).toEqual([]);
    desk.mirrors.stop();
    await desk.mirrors.start([{ ...desk.owner, userId: 'somebody else' }]);
    expect(desk.mirrors.window(desk.query(), 0, 10)).toBeNull();
    expect(desk.mirrors.items(SITE, ['1']).size).toBe(0);
  });

  it('is private, and is removed at the sign-out; the file of another account is kept', async ({ desk, service }) => {
    const { engine, siteId, profile } = desk;
    const folder = join(profile.dir, 'mirror');
    await engine.call('library.syncNow', { siteId });
    expect(statSync(join(folder, `${siteId}.sqlite`)).mode & 0o077).toBe(0);
    await desk.reopen({
      openers: {
        embedded: signingInAs({ admin: { ...service.admin, email_address: 'editor@library.example' } }),
        system: null,
      },
    });
    const other = await signInEngine(desk.engine, service);
    expect(other).not.toBe(siteId);
    await desk.engine.call('library.syncNow', { siteId: other });
    await desk.engine.call('sites.signOut', { siteId });
    await expect.poll(() => filesIn(folder).filter((name) => name.startsWith(siteId))).toEqual([]);
    expect(filesIn(folder).filter((name) => name.startsWith(other))).not.toEqual([]);
    expect((await desk.engine.call('library.syncStatus', { siteId: other })).phase).toBe('ready');
  });
});
