// Publish times one after another on the command line, as separate processes against the real service.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliProfile, openCliProfile } from '../../helpers/cli/cli-profile.ts';
import { clearJournal, journalOf } from '../../helpers/service/journal.ts';
import { clientFor, type ServiceClient } from '../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

let service: ServiceProcess;
let account: CliProfile;
let direct: ServiceClient;
let folder: string;

beforeAll(async () => {
  service = await startService();
  await service.control('PATCH', '/settings', { processing: { outcome: 'complete' } });
  direct = await clientFor(service);
  account = await openCliProfile(service);
  folder = await mkdtemp(join(tmpdir(), 'mediadesk-series-'));
}, 600_000);
afterAll(async () => {
  await service?.stop();
  await account?.close();
  await rm(folder, { recursive: true, force: true });
});

const cli = (...args: string[]) => account.run(...args);

async function create(title: string, fields: Record<string, unknown> = {}): Promise<string> {
  return (await direct.createItem(title, fields)).split('/').at(-1) ?? '';
}

async function collection(name: string): Promise<string> {
  const made = await direct.post('/api2/collections', { display_name: name, parent_id: '1' });
  return made.location.split('/').at(-1) ?? '';
}

/** Returns the publish times of a collection by title. */
async function timesIn(collectionId: string): Promise<Record<string, string | null>> {
  const { body } = await direct.get(`/api2/media?collection_id=${collectionId}`);
  const items = body.items as { title: string; status: string; publish_on: string | null }[];
  return Object.fromEntries(
    items.map(({ title, status, publish_on }) => [title, status === 'draft' ? null : publish_on]),
  );
}

const WEEKLY = ['--publish', '2035-10-24T18:00', '--every', 'week', '--time-zone', 'Europe/Vienna'];

describe('a series of publish times', { timeout: 300_000 }, () => {
  it('of an edit is shown, applied in the order of a query, and undone; it skips the days of the settings', async () => {
    const season = await collection('Season');
    for (const title of ['Two', 'One', 'Three']) await create(title, { collection_id: season });
    expect(await cli('settings', 'days-without-publication=2035-10-31')).toMatchObject({ code: 0 });
    const edit = ['edit', '--query', '', '--collection', season, '--sort', 'title', '--order', 'asc', ...WEEKLY];
    const dry = await cli(...edit, '--dry-run');
    expect(dry).toMatchObject({ code: 0 });
    const lines = dry.stdout.split('\n').map((line) => line.trim());
    expect(lines.filter((line) => /One|Three|Two/.test(line)).map((line) => line.split('  ')[1])).toEqual([
      ...['One', 'Three', 'Two'],
    ]);
    expect(lines).toContain('31 Oct 2035 is a day without publication and was skipped.');
    expect(lines).toContain('3 of 3 items would change.');
    expect(await timesIn(season)).toEqual({ One: null, Two: null, Three: null });

    expect(await cli(...edit)).toMatchObject({ code: 0, stdout: '3 done.\n' });
    expect(await timesIn(season)).toEqual({
      One: '2035-10-24T16:00:00Z',
      Three: '2035-11-07T17:00:00Z',
      Two: '2035-11-14T17:00:00Z',
    });
    expect(await cli('edits', 'undo', 'last')).toMatchObject({ code: 0, stdout: '3 done.\n' });
    expect(await timesIn(season)).toEqual({ One: null, Two: null, Three: null });
  });

  it('of an edit follows the order of the given items, and the dates of its own option', async () => {
    const talks = await collection('Talks');
    const first = await create('First', { collection_id: talks });
    const second = await create('Second', { collection_id: talks });
    const days = ['--publish', '2035-12-24 09:00', '--every', 'mon,tue', '--skip', '2035-12-25'];
    const done = await cli('edit', second, first, ...days, '--time-zone', 'UTC');
    expect(done).toMatchObject({ code: 0, stdout: '2 done.\n' });
    expect(await timesIn(talks)).toEqual({ Second: '2035-12-24T09:00:00Z', First: '2035-12-31T09:00:00Z' });
  });

  it('of uploads is shown and stored with the files, in their order', async () => {
    const archive = await collection('Archive');
    const episodes = join(folder, 'episodes');
    await mkdir(episodes);
    for (const number of [1, 2, 10]) await writeFile(join(episodes, `episode ${number}.wav`), `${number} episode`);
    const upload = ['upload', episodes, '--collection', archive, ...WEEKLY, '--skip', 'none'];
    const dry = await cli(...upload, '--dry-run', '--json');
    expect(dry).toMatchObject({ code: 0 });
    const order = dry.records.flatMap(({ publication }) =>
      publication === undefined ? [] : [publication as { name: string; at: string }],
    );
    expect(order).toMatchObject([
      { name: 'episode 1.wav', at: '2035-10-24T16:00:00Z' },
      { name: 'episode 2.wav', at: '2035-10-31T17:00:00Z' },
      { name: 'episode 10.wav', at: '2035-11-07T17:00:00Z' },
    ]);
    expect(await timesIn(archive)).toEqual({});
    expect(await cli(...upload, '--wait')).toMatchObject({ code: 0 });
    expect(await timesIn(archive)).toEqual({
      'episode 1': '2035-10-24T16:00:00Z',
      'episode 2': '2035-10-31T17:00:00Z',
      'episode 10': '2035-11-07T17:00:00Z',
    });
  });

  it('of uploads has no time for captions of an earlier upload, and adds no file that it does not show', async () => {
    const lectures = await collection('Lectures');
    const at = join(folder, 'lectures');
    await mkdir(at);
    const put = async (name: string, text: string) => {
      await writeFile(join(at, name), text);
      return join(at, name);
    };
    const send = (...args: string[]) => cli('upload', ...args, '--collection', lectures, '--wait');
    expect(await send(await put('intro.mp4', 'intro'))).toMatchObject({ code: 0 });
    const captions = await put('intro.de.vtt', 'WEBVTT\n\n00:01.000 --> 00:02.000\nHallo\n');
    const sheet = await put('manifest.csv', 'file,title\nmain.mp4,Main\n');
    const empty = await put('empty.mp4', '');

    await clearJournal(service);
    const paths = [captions, sheet, empty, await put('main.mp4', 'main')];
    const upload = [...paths, ...WEEKLY, '--skip', 'none'];
    const dry = await cli('upload', ...upload, '--collection', lectures, '--dry-run', '--json');
    expect(dry.code).toBe(0);
    expect(dry.records.filter(({ publication }) => publication !== undefined)).toEqual([
      { publication: { name: 'main.mp4', at: '2035-10-24T16:00:00Z', notes: [] } },
    ]);
    expect(await journalOf(service)).toEqual([]);

    const sent = await send(...upload);
    expect(sent.stderr).toContain(`${captions} is added to “intro”`);
    expect(sent.stderr).toContain(`Skipped: ${empty}`);
    expect(sent.stderr).toContain(`Not added: ${sheet}. To use this spreadsheet, use --manifest.`);
    expect(await timesIn(lectures)).toEqual({ intro: null, main: '2035-10-24T16:00:00Z' });
  });

  it('of a spreadsheet gives times to the rows without one, in the order of the rows', async () => {
    const described = await collection('Described');
    for (const name of ['a', 'b', 'c']) await writeFile(join(folder, `${name}.wav`), `${name} described`);
    const sheet = join(folder, 'files.csv');
    await writeFile(sheet, 'file,title,status\nc.wav,C,\nb.wav,B,draft\na.wav,A,\n');
    const upload = ['upload', '--manifest', sheet, '--collection', described, ...WEEKLY, '--skip', 'none'];
    const dry = await cli(...upload, '--dry-run');
    expect(dry).toMatchObject({ code: 0 });
    expect(dry.stdout).toContain('publish: 2035-10-24T16:00:00Z');
    expect(await cli(...upload, '--wait')).toMatchObject({ code: 0 });
    expect(await timesIn(described)).toEqual({ C: '2035-10-24T16:00:00Z', B: null, A: '2035-10-31T17:00:00Z' });
  });

  it.each([
    [['--every', 'week'], 'With --every, --publish needs the first local time, such as 2031-05-06T18:00.'],
    [['--every', 'week', '--publish', 'now'], 'not now.'],
    [['--every', 'week', '--publish', '2035-10-24T18:00Z'], 'not 2035-10-24T18:00Z.'],
    [['--every', 'weekly', '--publish', '2035-10-24T18:00'], 'Invalid value for --every: weekly.'],
    [['--every', 'week', '--publish', '2035-02-30T18:00'], '“2035-02-30 18:00” isn’t one.'],
    [[...WEEKLY, '--time-zone', 'Europe/Wien'], 'Invalid value for --time-zone: Europe/Wien.'],
    [[...WEEKLY, '--skip', '25.12.2035'], 'Invalid value for --skip: 25.12.2035.'],
    [['--skip', '2035-12-25', '--title', 'x'], 'Use --skip together with --every.'],
    [['--time-zone', 'UTC', '--title', 'x'], 'Use --time-zone together with --every.'],
    [[...WEEKLY, '--sort', 'title'], 'Use --sort and --order only with --every and a query.'],
    [[...WEEKLY, '--unpublish'], 'Use either --publish or --unpublish.'],
  ])('is refused with the reason: %j', async (options, reason) => {
    const refused = await cli('edit', '1', ...options);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(reason);
  });
});
