// “library export” and “library import”, as separate processes against the real service.
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliProfile, openCliProfile } from '../../helpers/cli/cli-profile.ts';
import { clearJournal, requestsOf } from '../../helpers/service/journal.ts';
import { clientFor, type ServiceClient } from '../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

const ITEMS = 120;

let service: ServiceProcess;
let account: CliProfile;
let folder: string;
let direct: ServiceClient;
let ids: string[];

const cli = (...args: string[]) => account.run(...args);
const file = (name: string) => join(folder, name);
const itemWrites = async () =>
  (await requestsOf(service, 'POST', /^\/api2\/media\/\d+/)).map(({ path }) => path).sort();

beforeAll(async () => {
  service = await startService({ seed: `bulk:${ITEMS}:1` });
  direct = await clientFor(service);
  account = await openCliProfile(service);
  ({ folder } = account);
  expect((await cli('library', 'sync')).code).toBe(0);
  const { records } = await cli('library', 'list', '--limit', '5', '--json');
  ids = records.map(({ item }) => (item as { id: string }).id);
}, 600_000);
afterAll(async () => {
  await service?.stop();
  await account?.close();
});

/** Exports all items and replaces text in the file. */
async function exported(name: string, change: (text: string) => string = (text) => text): Promise<string> {
  const done = await cli('library', 'export', '--out', file(name), '--sort', 'title', '--order', 'asc');
  expect(done).toMatchObject({ code: 0, stdout: `${ITEMS} items saved as ${file(name)}.\n` });
  await writeFile(file(name), change(await readFile(file(name), 'utf8')));
  return file(name);
}

describe('commands for spreadsheets', { timeout: 300_000 }, () => {
  it('export the chosen columns in their order, with facts that only the files of the items show', async () => {
    const done = await cli('library', 'export', '--out', '-', '--raw', '--columns', 'title,views,captions,size,id');
    const [header = '', first = ''] = done.stdout.replace(/^\ufeff/, '').split('\r\n');
    expect(header).toBe('title,views,captions,size,id');
    expect(first).toMatch(/^.+,\d+,(?:yes|no|),\d*,m:\d+$/);
  });

  it('export items, import them unchanged without a write, and save XLSX as well', async () => {
    const path = await exported('all.csv');
    expect((await readFile(path)).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    await clearJournal(service);
    const same = await cli('library', 'import', path);
    expect(same).toMatchObject({
      code: 0,
      stdout: `0 of ${ITEMS} rows change an item, ${ITEMS} change nothing, 0 have errors.\n`,
    });
    expect(same.stderr).toContain(`Reading ${ITEMS} rows (CSV, utf-8, separated by comma).`);
    expect((await cli('library', 'export', '--out', file('all.xlsx'))).code).toBe(0);
    expect((await cli('library', 'import', file('all.xlsx'))).stdout).toContain(`${ITEMS} change nothing`);
    expect(await itemWrites()).toEqual([]);
  });

  it('print the items as CSV with --out -, equal to the saved file', async () => {
    const path = await exported('printed.csv');
    const printed = await cli('library', 'export', '--out', '-', '--sort', 'title', '--order', 'asc');
    expect(printed).toMatchObject({ code: 0, stdout: await readFile(path, 'utf8') });
    expect(printed.stderr).toContain(`${ITEMS} items.`);
  });

  it('show what would change, change one field of one item, and undo it', async () => {
    const id = ids[0] ?? '';
    await writeFile(file('one.csv'), `id;speaker\nm:${id};Ada\n`);
    const dry = await cli('library', 'import', file('one.csv'), '--dry-run');
    expect(dry).toMatchObject({ code: 0 });
    expect(dry.stdout).toMatch(/byline: .* → “Ada”/);
    expect(dry.stdout).toContain('1 of 1 rows change an item');
    await clearJournal(service);
    expect(await cli('library', 'import', file('one.csv'))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 done.'),
    });
    expect(await itemWrites()).toEqual([`/api2/media/${id}`]);
    expect((await direct.get(`/api2/media/${id}`)).body.byline).toBe('Ada');
    expect((await cli('edits', 'undo', 'last')).code).toBe(0);
    expect((await direct.get(`/api2/media/${id}`)).body.byline).not.toBe('Ada');
  });

  it('change nothing when a row has an error, unless only valid rows are wanted', async () => {
    const [first = '', second = ''] = ids.map((id) => `m:${id}`);
    await writeFile(file('bad.csv'), `id,Thema,status\n${first},New,\n${second},Other,public\n`);
    const args = ['library', 'import', file('bad.csv'), '--map', 'Thema=title'];
    const refused = await cli(...args, '--errors', file('errors.csv'));
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      'Row 3, status: The status must be draft, scheduled or published. Found: “public”.',
    );
    expect(refused.stderr).toContain('(manifest.status-unknown)');
    expect(await readFile(file('errors.csv'), 'utf8')).toMatch(
      /^\uFEFFid,Thema,status,error\r\n[^\n]*,\r\n[^\n]*status: The status/,
    );
    expect((await direct.get(`/api2/media/${first.slice(2)}`)).body.title).not.toBe('New');
    const valid = await cli(...args, '--valid-only', '--json');
    expect(valid.code).toBe(1);
    expect(valid.records.find((record) => 'import' in record)).toMatchObject({
      import: { checked: { changed: 1, badRows: 1 } },
    });
    expect((await direct.get(`/api2/media/${first.slice(2)}`)).body.title).toBe('New');
  });

  it('name the sheet that is read when the workbook has several', async () => {
    const fixture = resolve('test/fixtures/spreadsheets/hidden-first.xlsx');
    const { stderr } = await cli('library', 'import', fixture, '--dry-run');
    expect(stderr).toContain('Reading 1 row (XLSX, sheet “S” of 2).');
    expect((await cli('library', 'import', file('all.xlsx'), '--dry-run')).stderr).toContain(' rows (XLSX).');
  });

  it('name the row and column of unreadable characters, and use the encoding that the user chooses', async () => {
    const first = `m:${ids[0]}`;
    await writeFile(file('latin.csv'), Buffer.from(`id,title\n${first},Größe\n`, 'latin1'));
    const refused = await cli('library', 'import', file('latin.csv'));
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('some characters can’t be read. Row 2, column 2.');
    const read = await cli('library', 'import', file('latin.csv'), '--encoding', 'windows-1252', '--dry-run');
    expect(read.stdout).toContain('→ “Größe”');
  });

  it('refuse missing, invalid and contradictory options with exit code 2 and the reason', async () => {
    for (const [wrong, sentence] of [
      [['library', 'export'], 'Missing option: --out'],
      [['library', 'export', '--out', 'items.ods'], 'must end with .csv or .xlsx'],
      [['library', 'export', '--out', 'items.csv', '--time-zone', 'Mars'], 'Invalid value for --time-zone: Mars.'],
      [['library', 'import'], 'Enter the file to import.'],
      [['library', 'import', 'x.csv', '--all-or-nothing', '--valid-only'], 'Use either'],
      [['library', 'import', 'x.csv', '--map', 'a=b'], 'Invalid value for --map: a=b.'],
    ] as const) {
      const refused = await cli(...wrong);
      expect(refused.code, wrong.join(' ')).toBe(2);
      expect(refused.stderr).toContain(sentence);
    }
  });

  it('continue an import after the process was killed: one group, and each item has its new title', async () => {
    const titles = (text: string) => text.replace(/^(m:(\d+),)[^,]*/gm, '$1Renamed $2');
    const path = await exported('renamed.csv', titles);
    await clearJournal(service);
    const run = account.start('library', 'import', path);
    for (;;) {
      if ((await itemWrites()).length >= 10) break;
    }
    run.child.kill('SIGKILL');
    await run.ended;
    const interrupted = (await itemWrites()).length;
    expect(interrupted).toBeLessThan(ITEMS);
    expect((await cli('edits', 'retry')).code).toBe(0);
    const written = await itemWrites();
    expect(new Set(written).size).toBe(ITEMS);
    // At most the requests in flight are repeated; each is compared with the library first.
    expect(written.length).toBeLessThanOrEqual(ITEMS + 4);
    const { records } = await cli('edits', 'list', '--json');
    expect(records[0]).toMatchObject({ edits: { items: ITEMS, counts: { done: ITEMS } } });
    expect((await cli('library', 'import', path)).stdout).toContain(`${ITEMS} change nothing`);
    expect((await cli('edits', 'undo', 'last')).stdout).toContain(`${ITEMS} done.`);
  });
});
