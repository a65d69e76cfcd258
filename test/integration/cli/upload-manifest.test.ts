// “upload --manifest”: a spreadsheet describes the files, as a separate process against the real service.
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { xlsxOf } from '../../../electron/engine/manifest/table/write-xlsx.ts';
import type { MediaItem } from '../../../shared/api/media.ts';
import { type CliProfile, openCliProfile } from '../../helpers/cli/cli-profile.ts';
import { taggedRecording } from '../../helpers/data/tagged-recording.ts';
import { clearJournal, requestsOf } from '../../helpers/service/journal.ts';
import { clientFor, type ServiceClient } from '../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

let service: ServiceProcess;
let profile: CliProfile;
let direct: ServiceClient;
let number = 0;

const cli = (...args: string[]) => profile.run(...args);

beforeAll(async () => {
  service = await startService();
  await service.control('PATCH', '/settings', { processing: { outcome: 'complete' } });
  direct = await clientFor(service);
  profile = await openCliProfile(service);
  for (const name of ['Optics', 'Acoustics']) {
    expect((await cli('collections', 'create', name, '--in', 'Library')).code).toBe(0);
  }
  expect((await cli('library', 'sync')).code).toBe(0);
}, 600_000);
afterAll(async () => {
  await service?.stop();
  await profile?.close();
});

/** A folder with these files; the contents of each are its name, so that no two are equal. Returns its path. */
async function folderWith(...names: string[]): Promise<string> {
  number += 1;
  const folder = join(profile.folder, `files ${number}`);
  for (const name of names) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), `${number} ${name}`);
  }
  return folder;
}

async function manifestIn(
  folder: string,
  rows: readonly (readonly string[])[],
  name = 'manifest.csv',
): Promise<string> {
  const path = join(folder, name);
  const csv = rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n');
  await writeFile(path, name.endsWith('.xlsx') ? Buffer.concat([...xlsxOf('Files', rows)]) : csv);
  return path;
}

/** Returns the items of the library that have one of these titles, by title. */
async function itemsOf(...titles: string[]): Promise<Record<string, MediaItem>> {
  const { body } = await direct.get('/api2/media?per_page=200&sort=created_on');
  const items = (body as { items: MediaItem[] }).items;
  return Object.fromEntries(items.filter(({ title }) => titles.includes(title)).map((item) => [item.title, item]));
}

const creations = () => requestsOf(service, 'POST', /^\/api2\/media$/);

describe('upload --manifest', { timeout: 300_000 }, () => {
  it.each(['manifest.csv', 'manifest.xlsx'])('uploads each file with the fields of its row (%s)', async (name) => {
    const folder = await folderWith('a.wav', 'week 7/b.wav', 'c.wav', 'not listed.wav');
    const [title, other] = [`=Polarization ${name}`, `Sound ${name}`];
    const manifest = await manifestIn(
      folder,
      [
        ['Title', 'File', 'Speaker', 'Summary', 'Tags', 'Collection', 'Publish_on', 'Room'],
        [title, 'a.wav', 'Ada', '<p>Light</p>', 'light|week 7', '', '2031-05-06T09:00', 'B2'],
        [other, String.raw`week 7\b.wav`, '', '', '<clear>', 'Acoustics', '', ''],
        ['', './c.wav', '', '', '', '', '', ''],
      ],
      name,
    );
    await clearJournal(service);
    const dry = await cli(
      ...['upload', '--manifest', manifest, '--collection', 'Optics', '--tags', 'all'],
      ...['--time-zone', 'Europe/Vienna', '--dry-run', '--json'],
    );
    expect(dry.code).toBe(0);
    const files = dry.records.flatMap((record) => ('file' in record ? [record.file] : []));
    expect(files).toMatchObject([
      {
        name: 'a.wav',
        fields: { title, byline: 'Ada', description: '<p>Light</p>', tags: ['light', 'week 7'] },
        collection: null,
        publish: { kind: 'at', at: '2031-05-06T07:00:00Z' },
      },
      { name: join('week 7', 'b.wav'), fields: { title: other, tags: [] }, collection: { name: 'Acoustics' } },
      { name: 'c.wav', fields: {}, collection: null, publish: null },
    ]);
    expect(await creations()).toEqual([]);
    const done = await cli(
      ...['upload', '--manifest', manifest, '--collection', 'Optics', '--tags', 'all', '--time-zone', 'Europe/Vienna'],
      ...['--title-template', `{name} ${name}`, '--wait'],
    );
    expect(done).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('3 of 3 rows describe a file, 0 have errors.'),
    });
    const items = await itemsOf(title, other, `c ${name}`);
    expect(items[title]).toMatchObject({
      byline: 'Ada',
      description: '<p>Light</p>',
      status: 'scheduled',
      publish_on: '2031-05-06T07:00:00Z',
      tags: ['light', 'week 7'],
    });
    expect(items[other]).toMatchObject({ tags: [], status: 'draft' });
    expect(items[`c ${name}`]).toMatchObject({ tags: ['all'], status: 'draft' });
    // Both batches were created with one request for each item; the row's collection wins over the option.
    expect(items[other]?.collection_id).not.toBe(items[title]?.collection_id);
    expect(items[`c ${name}`]?.collection_id).toBe(items[title]?.collection_id);
    expect(await creations()).toHaveLength(3);
  });

  it('queues nothing when a row has an error, and names row, column and code', async () => {
    const folder = await folderWith('a.wav', 'b.wav', 'sub/c.wav', 'talk.mp4', 'talk.en.vtt', 'empty.wav');
    await writeFile(join(folder, 'empty.wav'), '');
    const outside = join(await folderWith('secret.wav'), 'secret.wav');
    await symlink(outside, join(folder, 'link.wav'));
    const manifest = await manifestIn(
      folder,
      [
        ['file', 'title', 'status', 'collection'],
        ['a.wav', 'Good', '', ''],
        ['missing.wav', '', '', ''],
        ['a.wav', 'Twice', '', ''],
        ['../files 1/a.wav', '', '', ''],
        [outside, '', '', ''],
        [String.raw`C:\Windows\a.wav`, '', '', ''],
        ['link.wav', '', '', ''],
        ['sub/../../x.wav', '', '', ''],
        ['', 'No file', '', ''],
        ['b.wav\u0000.txt', '', '', ''],
        ['sub', '', '', ''],
        ['empty.wav', '', '', ''],
        ['talk.mp4', '', '', ''],
        ['talk.en.vtt', '', '', ''],
        ['b.wav', '<clear>', 'public', 'Nowhere'],
        ['./sub//c.wav', 'x'.repeat(1001), '', ''],
      ].map((row) => row.map((cell) => cell.replace('\u0000', '\u0001'))),
    );
    await clearJournal(service);
    const args = ['upload', '--manifest', manifest, '--collection', 'Optics'];
    const copy = join(folder, 'errors.csv');
    const refused = await cli(...args, '--errors', copy, '--json');
    expect(refused.code).toBe(1);
    const problems = refused.records.flatMap((record) => ('problem' in record ? [record.problem] : []));
    const brief = (problems as { row: number; header: string; error: { code: string } }[]).map(
      ({ row, header, error }) => [row, header, error.code],
    );
    expect(brief).toEqual([
      [3, 'file', 'manifest.file-missing'],
      [4, 'file', 'manifest.file-twice'],
      [5, 'file', 'manifest.file-outside'],
      [6, 'file', 'manifest.file-outside'],
      [7, 'file', 'manifest.file-outside'],
      [8, 'file', 'manifest.file-outside'],
      [9, 'file', 'manifest.file-outside'],
      [10, 'file', 'manifest.file-empty'],
      [11, 'file', 'manifest.file-invalid'],
      [12, 'file', 'file.not-regular'],
      [13, 'file', 'file.empty'],
      [15, 'file', 'manifest.file-sidecar'],
      [16, 'title', 'edit.title-empty'],
      [16, 'collection', 'manifest.collection-unknown'],
      [16, 'status', 'manifest.status-unknown'],
      [17, 'title', 'edit.too-long'],
    ]);
    expect(await readFile(copy, 'utf8')).toContain('The folder of the spreadsheet has no such file.');
    expect((await cli('queue', 'list')).stdout).not.toContain('Good');
    expect(await creations()).toEqual([]);
    const some = await cli(...args, '--valid-only', '--wait');
    // Not everything was uploaded, so the exit code is not 0.
    expect(some).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('2 of 16 rows describe a file, 14 have errors.'),
    });
    expect(Object.keys(await itemsOf('Good', 'talk')).sort()).toEqual(['Good', 'talk']);
    expect(await creations()).toHaveLength(2);
  });

  it('finds a name whose accents are stored in another Unicode form, and refuses to choose between two', async () => {
    const folder = await folderWith(
      'Pr\u00fcfung.wav'.normalize('NFD'),
      'Caf\u00e9.wav'.normalize('NFD'),
      'Caf\u00e9.wav',
    );
    const manifest = await manifestIn(folder, [
      ['file', 'title'],
      ['Pr\u00fcfung.wav', 'Accents'],
      ['Caf\u00e9.wav', 'The equal name'],
    ]);
    const dry = await cli('upload', '--manifest', manifest, '--collection', 'Optics', '--dry-run');
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('2 of 2 rows describe a file') });
    const both = await folderWith('\u1e9b\u0323.wav', '\u1e9b\u0323.wav'.normalize('NFD'));
    const vague = await manifestIn(both, [['file'], ['\u017f\u0307\u0323.wav']]);
    const refused = await cli('upload', '--manifest', vague, '--collection', 'Optics', '--dry-run');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('(manifest.file-several)') });
  });

  it('needs a collection for each row, and a column with the names of the files', async () => {
    const folder = await folderWith('a.wav', 'b.wav');
    const manifest = await manifestIn(folder, [
      ['file', 'collection'],
      ['a.wav', 'Optics'],
      ['b.wav', ''],
    ]);
    const refused = await cli('upload', '--manifest', manifest);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Row 3: The row has no collection.') });
    const blind = await cli('upload', '--manifest', await manifestIn(folder, [['title'], ['A']], 'blind.csv'));
    expect(blind.stderr).toContain('No column has the names of the files.');
    const named = await manifestIn(
      folder,
      [
        ['Recording', 'collection'],
        ['a.wav', 'Optics'],
      ],
      'named.csv',
    );
    expect(await cli('upload', '--manifest', named, '--map', 'Recording=file')).toMatchObject({ code: 0 });
    expect((await cli('upload', 'a.wav', '--manifest', named)).code).toBe(2);
    expect((await cli('upload', 'a.wav', '--collection', 'Optics', '--dry-run')).stderr).toContain(
      'Use --dry-run only with --manifest.',
    );
  });
});

describe('upload --title-template', { timeout: 300_000 }, () => {
  it('makes titles of tags inside the files, and reports how many titles are file names', async () => {
    const folder = await folderWith('plain.wav', 'listed.wav');
    const tags = { title: 'Told by a tag', artist: 'Ada Lovelace' };
    await taggedRecording(join(folder, 'tagged.mp3'), tags);
    await taggedRecording(join(folder, 'second.mp3'), { ...tags, title: 'Second' });
    const options = ['--collection', 'Optics', '--title-template', '{tag.artist}: {tag.title}'];
    const plain = await cli('upload', join(folder, 'plain.wav'), join(folder, 'tagged.mp3'), ...options);
    expect(plain.code).toBe(0);
    expect(plain.stdout).toContain('Queued 2 files');
    expect(plain.stderr).toContain('1 title is the file name, because its file has no value');
    // A row without a title uses the template; a row with a title needs no tags.
    const rows = [
      ['file', 'title'],
      ['second.mp3', ''],
      ['listed.wav', 'From the row'],
    ];
    const manifest = await manifestIn(folder, rows);
    const listed = await cli('upload', '--manifest', manifest, ...options, '--json');
    expect(listed).toMatchObject({
      code: 0,
      records: expect.arrayContaining([{ batch: expect.objectContaining({ added: 2, fallbackTitles: 0 }) }]),
    });
    expect((await cli('queue', 'resume', '--wait')).code).toBe(0);
    const titles = ['Ada Lovelace: Second', 'Ada Lovelace: Told by a tag', 'From the row', 'plain'];
    expect(Object.keys(await itemsOf(...titles)).sort()).toEqual(titles);
  });

  it('names the tags and date formats that can be used when a token is wrong, and queues nothing', async () => {
    const folder = await folderWith('a.wav');
    const attempt = (template: string) =>
      cli('upload', join(folder, 'a.wav'), '--collection', 'Optics', '--title-template', template);
    for (const [template, reason] of [
      ['{tag.artst}', '{tag.artist}'],
      ['{recorded:D.M.Y}', 'YYYY, MM, DD'],
      ['{recordd}', '{recorded}'],
      ['{tag.title', 'unpaired brace'],
    ] as const) {
      const { code, stderr } = await attempt(template);
      expect([template, code]).toEqual([template, 2]);
      expect(stderr).toContain(reason);
    }
  });
});

describe('wrong input', { timeout: 300_000 }, () => {
  it('is reported with the reason or the next step, and nothing is queued', async () => {
    const folder = await folderWith('a.wav');
    const headings = await manifestIn(folder, [['file', 'title']], 'headings.csv');
    const twice = await manifestIn(
      folder,
      [
        ['file', 'title', 'Title'],
        ['a.wav', 'First', 'Second'],
      ],
      'twice.csv',
    );
    const none = join(folder, 'none');
    const cases: readonly [args: string[], code: number, text: string][] = [
      [['upload', '--collection', 'Optics', '--manifest', `${none}.csv`], 2, 'Check the path.'],
      [['upload', '--collection', 'Optics', '--manifest', folder], 2, 'is a folder, not a spreadsheet'],
      [['upload', '--collection', 'Optics', '--manifest', headings], 1, 'Choose a file with a header row'],
      [['upload', '--collection', 'Optics', '--manifest', twice, '--dry-run'], 0, 'Column 3, “Title”, is not used'],
      [['library', 'import', `${none}.csv`, '--dry-run'], 2, 'Check the path.'],
      [['library', 'import', folder, '--dry-run'], 2, 'is a folder, not a spreadsheet'],
      [['describe', '--files', none, '--title', '{name}'], 1, 'There are no files to describe.'],
      [['describe', '--files', folder, none, '--title', '{name}'], 1, `Skipped: ${none}`],
    ];
    const queued = (await cli('queue', 'list')).stdout;
    for (const [args, code, text] of cases) {
      const result = await cli(...args);
      expect([args.join(' '), result.code]).toEqual([args.join(' '), code]);
      expect(result.stderr).toContain(text);
    }
    expect((await cli('queue', 'list')).stdout).toBe(queued);
  });
});

describe('a file of a row that is swapped before it is sent', () => {
  it.each([
    ['a link', 'sub/talk.txt'],
    ['a link in place of its folder', 'sub'],
  ])('is not sent when there is %s, and the private file stays', async (_, swapped) => {
    const folder = await folderWith('sub/talk.txt');
    const hidden = await folderWith('sub/talk.txt');
    const manifest = await manifestIn(folder, [
      ['file', 'title'],
      ['sub/talk.txt', `Swapped ${swapped}`],
    ]);
    const moved = join(profile.folder, `moved ${number}`);
    await mkdir(moved);
    const options = ['--collection', 'Optics', '--move-to', moved];
    expect((await cli('upload', '--manifest', manifest, ...options)).code).toBe(0);
    await rm(join(folder, swapped), { recursive: true });
    await symlink(join(hidden, swapped), join(folder, swapped));
    const { code, stdout, stderr } = await cli('queue', 'resume', '--wait');
    expect(code).toBe(1);
    expect(stdout + stderr).toContain('is a link');
    expect(Object.keys(await itemsOf(`Swapped ${swapped}`))).toEqual([]);
    expect(await readdir(moved)).toEqual([]);
    expect(await readFile(join(hidden, 'sub/talk.txt'), 'utf8')).toBe(`${number} sub/talk.txt`);
  });
});
