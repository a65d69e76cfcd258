// Commands that edit items, as separate processes against the real service.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliProfile, openCliProfile } from '../../helpers/cli/cli-profile.ts';
import { clientFor, type ServiceClient } from '../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

let service: ServiceProcess;
let account: CliProfile;
let direct: ServiceClient;

beforeAll(async () => {
  service = await startService();
  direct = await clientFor(service);
  account = await openCliProfile(service);
}, 600_000);
afterAll(async () => {
  await service?.stop();
  await account?.close();
});

const cli = (...args: string[]) => account.run(...args);
const item = async (id: string) => (await direct.get(`/api2/media/${id}`)).body;

async function create(title: string, fields: Record<string, unknown> = {}): Promise<string> {
  return (await direct.createItem(title, fields)).split('/').at(-1) ?? '';
}

describe('commands that edit items', { timeout: 300_000 }, () => {
  it('show what would change, change it, and undo it', async () => {
    const ids = [await create('Talk 1', { tags: ['old'] }), await create('Talk 2')];
    const dry = await cli('edit', ...ids, '--title-prefix', '2031: ', '--add-tag', 'new, fresh', '--dry-run');
    expect(dry).toMatchObject({ code: 0 });
    expect(dry.stdout).toContain('title: “Talk 1” → “2031: Talk 1”');
    expect(dry.stdout).toContain('tags: old → old, new, fresh');
    expect(dry.stdout).toContain('2 of 2 items would change.');
    expect((await item(ids[0] ?? '')).title).toBe('Talk 1');

    const done = await cli('edit', ...ids, '--title-prefix', '2031: ', '--add-tag', 'new, fresh', '--json');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.records.at(-1)).toMatchObject({ edits: { items: 2, counts: { done: 2, pending: 0 } } });
    expect(await item(ids[1] ?? '')).toMatchObject({ title: '2031: Talk 2' });

    expect(await cli('edits', 'undo', 'last')).toMatchObject({ code: 0, stdout: '2 done.\n' });
    expect(await item(ids[0] ?? '')).toMatchObject({ title: 'Talk 1', tags: ['old'] });
    const listed = await cli('edits', 'list', '--json');
    expect(listed.records).toMatchObject([
      { edits: { items: 2, undoes: expect.any(String) } },
      { edits: { items: 2, undoneBy: expect.any(String) } },
      { totals: { pending: 0, refused: 0 } },
    ]);
  });

  it('fill fields from a pattern, and list the items whose text does not match it', async () => {
    const ids = [
      await create('20261104_Optics_Wave_optics', { tags: ['old'] }),
      await create('20261105_Heat_Engines & more'),
      await create('Something else'),
    ];
    const recipe = [
      ...['--pattern', '{date:YYYYMMDD}_{course}_{title}', '--underscores', '--title', '{course}: {title}'],
      ...['--description', '<p>{title}, {date:DD.MM.YYYY}</p>', '--tags', '{now}, {course}'],
    ];
    const dry = await cli('describe', ...ids, ...recipe, '--dry-run');
    expect(dry).toMatchObject({ code: 1 });
    expect(dry.stdout).toContain('title: “20261104_Optics_Wave_optics” → “Optics: Wave optics”');
    expect(dry.stdout).toContain('The text of this item doesn’t match the pattern.');
    expect(dry.stdout).toContain('2 of 3 items would change, 1 can’t be changed like this.');
    expect(await cli('describe', ...ids, ...recipe)).toMatchObject({ code: 1, stdout: '2 done.\n' });
    expect(await item(ids[0] ?? '')).toMatchObject({ title: 'Optics: Wave optics', tags: ['old', 'Optics'] });
    expect(await item(ids[1] ?? '')).toMatchObject({
      title: 'Heat: Engines & more',
      tags: ['Heat'],
      description: '<p>Engines &amp; more, 05.11.2026</p>',
    });
    expect(await item(ids[2] ?? '')).toMatchObject({ title: 'Something else' });
    expect(await cli('edits', 'undo', 'last')).toMatchObject({ code: 0, stdout: '2 done.\n' });
    expect(await item(ids[0] ?? '')).toMatchObject({ title: '20261104_Optics_Wave_optics', tags: ['old'] });

    const wrong = await cli('describe', ids[0] ?? '', '--pattern', '{title}{byline}', '--title', '{title}');
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain('nothing shows where one ends');
  });

  it('preview the fields that a pattern gives to local files, with tags and dates inside them, and change nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'describe-'));
    try {
      const tag = (name: string, text: string) => {
        const value = Buffer.from(`${text}\0`, 'latin1');
        const size = Buffer.alloc(4);
        size.writeUInt32LE(value.length);
        return Buffer.concat([Buffer.from(name), size, value, Buffer.alloc(value.length % 2)]);
      };
      const info = Buffer.concat([
        Buffer.from('INFO'),
        tag('INAM', 'Light'),
        tag('IART', 'Ada'),
        tag('ICRD', '2026-11-04'),
      ]);
      const size = (bytes: number) => Buffer.from(Uint32Array.of(bytes).buffer);
      const body = Buffer.concat([Buffer.from('WAVELIST'), size(info.length), info, Buffer.from('data'), size(0)]);
      await writeFile(join(folder, 'a.wav'), Buffer.concat([Buffer.from('RIFF'), size(body.length), body]));
      await writeFile(join(folder, 'b.txt'), 'no tags');
      const shown = await cli(
        ...['describe', '--files', folder, '--title', '{nn} {tag.title}', '--tags', '{recorded:DD.MM.YYYY}', '--json'],
      );
      expect(shown.code).toBe(1);
      expect(shown.records).toMatchObject([
        {
          described: {
            path: join(folder, 'a.wav'),
            fields: { title: '01 Light', tags: '04.11.2026' },
            missing: {},
            recorded: { at: '2026-11-04', zone: null, source: 'tag' },
          },
        },
        { described: { missing: { title: ['tag.title'] }, recorded: { source: 'changed' } } },
      ]);
      const named = await cli('describe', '--files', folder, '--title', '{name}');
      expect(named).toMatchObject({ code: 0 });
      expect(named.stdout).toContain('title: a');
      expect(await cli('describe', '--files', '--title', '{name}')).toMatchObject({ code: 2 });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('edit all items of a query, and move, schedule and delete them', async () => {
    const collection = await cli('collections', 'create', 'Target', '--in', 'Library', '--json');
    const target = (collection.records[0] as { collection: { id: string } }).collection.id;
    const ids = [await create('Series a', { tags: ['series'] }), await create('Series b', { tags: ['series'] })];
    const moved = await cli(
      'edit',
      '--query',
      '',
      '--tag',
      'series',
      '--move-to',
      'Target',
      '--publish',
      '2035-01-01T00:00:00Z',
    );
    expect(moved).toMatchObject({ code: 0, stdout: '2 done.\n' });
    for (const id of ids) {
      expect(await item(id)).toMatchObject({
        collection_id: target,
        status: 'scheduled',
        publish_on: '2035-01-01T00:00:00Z',
      });
    }
    const unconfirmed = await cli('edit', '--collection', 'Target', '--delete');
    expect(unconfirmed).toMatchObject({ code: 1 });
    expect(unconfirmed.stderr).toContain('Add --yes to delete them.');
    expect((await direct.get(`/api2/media/${ids[0]}`)).status).toBe(200);
    expect(await cli('edit', '--collection', 'Target', '--delete', '--yes')).toMatchObject({ code: 0 });
    expect((await direct.get(`/api2/media/${ids[0]}`)).status).toBe(404);
    expect(await cli('edits', 'undo', 'last')).toMatchObject({ code: 1 });
  });

  it('keep edits while the library is in maintenance, and send them with retry', async () => {
    const id = await create('Waits');
    await service.control('PATCH', '/settings', { read_only: true });
    const waits = await cli('edit', id, '--byline', 'Ada');
    expect(waits).toMatchObject({ code: 1, stdout: '1 pending.\n' });
    expect(waits.stderr).toContain('maintenance');
    expect(waits.stderr).toContain('mediadesk edits retry');
    await service.control('PATCH', '/settings', { read_only: false });
    expect((await item(id)).byline).toBeNull();
    expect(await cli('edits', 'retry')).toMatchObject({ code: 0, stdout: '1 done.\n' });
    expect((await item(id)).byline).toBe('Ada');
  });

  it('return while one item fails, say until when it waits, and send the others', async () => {
    const [broken, other] = [await create('Broken'), await create('Other')];
    const path = `^/api2/media/${broken}$`;
    const action = { kind: 'status', status: 500, body: { message: 'Broken.' } };
    await service.control('POST', '/faults', { method: 'POST', path, times: 1000, action });
    const edited = await cli('edit', broken, other, '--byline', 'Ada');
    expect(edited).toMatchObject({ code: 1, stdout: '1 pending, 1 done.\n' });
    expect(edited.stderr).toMatch(/Broken waits until .+: /);
    expect((await item(other)).byline).toBe('Ada');
    const retried = await cli('edits', 'retry');
    expect(retried).toMatchObject({ code: 1 });
    expect(retried.stderr).toMatch(/Broken waits until .+: /);
    await service.control('DELETE', '/faults');
    expect(await cli('edits', 'retry')).toMatchObject({ code: 0 });
    expect((await item(broken)).byline).toBe('Ada');
  });

  it('report all groups that they send, not only the newest one', async () => {
    const [first, second] = [await create('One'), await create('Two')];
    await service.control('PATCH', '/settings', { read_only: true });
    await cli('edit', first, '--title', 'Mine');
    await cli('edit', second, '--byline', 'Ada');
    await service.control('PATCH', '/settings', { read_only: false });
    await direct.post(`/api2/media/${first}`, { title: 'Theirs' });
    expect(await cli('edits', 'retry')).toMatchObject({ code: 1, stdout: '1 conflict, 1 done.\n' });
    const [row = ''] = /^\d+/m.exec((await cli('edits', 'show')).stdout) ?? [];
    await service.control('PATCH', '/settings', { read_only: true });
    expect(await cli('edit', second, '--byline', 'Grace')).toMatchObject({ code: 1 });
    // The named edit decides the exit code, although a newer edit waits.
    const kept = `${row}  One: title: keep “Theirs”, don’t send “Mine”\n1 dropped.\n`;
    expect(await cli('edits', 'resolve', row, '--theirs')).toMatchObject({ code: 0, stdout: kept });
    await service.control('PATCH', '/settings', { read_only: false });
    expect(await cli('edits', 'retry')).toMatchObject({ code: 0, stdout: '1 done.\n' });
  });

  it('show refused edits and drop them', async () => {
    const id = await create('Gone');
    const fault = {
      method: 'POST',
      path: `/api2/media/${id}`,
      action: { kind: 'status', status: 422, body: { message: 'No.' } },
    };
    await service.control('POST', '/faults', { ...fault, times: 1 });
    expect(await cli('edit', id, '--title', 'New')).toMatchObject({ code: 1, stdout: '1 refused.\n' });
    const shown = await cli('edits', 'show');
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.stdout).toContain('title: “Gone” → “New”');
    expect(await cli('edits', 'drop', 'last')).toMatchObject({ code: 0, stdout: '1 item dropped.\n' });
    expect((await cli('edits', 'show')).stdout).toBe('');
  });

  it('decide conflicts with --mine, --theirs and --value, and keep replaced values in the history', async () => {
    const ids = [await create('Was'), await create('Was'), await create('Was')];
    await service.control('PATCH', '/settings', { read_only: true });
    const edited = await cli('edit', ...ids, '--title', 'Mine', '--byline', 'Ada');
    expect(edited).toMatchObject({ code: 1, stdout: '3 pending.\n' });
    await service.control('PATCH', '/settings', { read_only: false });
    for (const id of ids) await direct.post(`/api2/media/${id}`, { title: 'Theirs' });
    expect(await cli('edits', 'retry')).toMatchObject({ code: 1, stdout: '3 conflict.\n' });
    const [{ edits }] = (await cli('edits', 'list', '--open', '--json')).records as [{ edits: { id: string } }];
    for (const id of ids) expect(await item(id)).toMatchObject({ title: 'Theirs', byline: 'Ada' });
    const { stdout } = await cli('edits', 'show');
    expect(stdout).toContain('title: “Was” → “Mine”; theirs: “Theirs”');
    const [mine = '', theirs = '', value = ''] = [...stdout.matchAll(/^\d+/gm)].map(([row]) => row);
    // The conflict is about the title, so a decision about the byline is refused.
    expect(await cli('edits', 'resolve', mine, '--mine', '--field', 'byline')).toMatchObject({ code: 1 });
    expect(await item(ids[0] ?? '')).toMatchObject({ title: 'Theirs' });
    const sent = (await cli('edits', 'resolve', mine, '--mine')).stdout;
    expect(sent).toContain(`${mine}  Was: title: send “Mine”, replacing “Theirs”\n`);
    // A later edit of the value in question is a part of the question.
    expect(await cli('edit', ids[1] ?? '', '--title', 'Newest')).toMatchObject({ code: 1, stdout: '1 pending.\n' });
    const kept = (await cli('edits', 'resolve', theirs, '--theirs', '--field', 'title')).stdout;
    expect(kept).toContain(`${theirs}  Was: title: keep “Theirs”, don’t send “Newest”\n`);
    expect((await cli('edits', 'show', '--filter', 'open')).stdout).not.toContain('Newest');
    expect(await cli('edits', 'resolve', value, '--value', 'Ours')).toMatchObject({
      code: 0,
      stdout: `${value}  Was: title: send “Ours”, not “Mine”\n3 done.\n`,
    });
    const titles = await Promise.all(ids.map(async (id) => (await item(id)).title));
    expect(titles).toEqual(['Mine', 'Theirs', 'Ours']);
    expect((await cli('edits', 'show')).stdout).toBe('');
    const { id: groupId } = edits;
    const history = (await cli('edits', 'show', groupId)).stdout;
    expect(history).toContain('→ “Mine”; not used: “Theirs”');
    expect(history).toContain('→ “Mine”; theirs: “Theirs”; not used: “Newest”');
    expect(history).toContain('→ “Ours”; not used: “Mine”, “Theirs”');
  });

  it('let the user sign out only with --yes while an edit is unsent, and send it after the next sign-in', async () => {
    const id = await create('Left here');
    await service.control('PATCH', '/settings', { read_only: true });
    expect((await cli('edit', id, '--title', 'Kept')).code).toBe(1);
    const refused = await cli('sign-out');
    expect(refused).toMatchObject({ code: 1, stdout: '1 edit not sent: 1 waiting.\n' });
    expect(refused.stderr).toContain('you weren’t signed out');
    expect(refused.stderr).toContain('--yes');
    const asJson = await cli('sign-out', '--json');
    expect(asJson.records).toMatchObject([{ unsent: { edits: { pending: 1 }, uploads: { pending: 0 } } }]);
    expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { code: 'sign-out.unsent' } });
    expect((await cli('collections')).code).toBe(0);
    const confirmed = await cli('sign-out', '--yes');
    expect(confirmed.code).toBe(0);
    expect(confirmed.stdout).toMatch(/^1 edit not sent: 1 waiting\.\nSigned out of /);
    expect((await cli('collections')).code).toBe(3);
    await service.control('PATCH', '/settings', { read_only: false });
    await account.signIn();
    await cli('edits', 'retry');
    expect((await item(id)).title).toBe('Kept');
    expect((await cli('sign-out')).stdout).toMatch(/^Signed out of /);
    await account.signIn();
  });

  it('hold an edit whose publish time has passed until --now publishes the item', async () => {
    const id = await create('Late');
    const held = await cli('edit', id, '--publish', '2020-01-01T00:00:00Z');
    expect(held).toMatchObject({ code: 1, stdout: '1 held.\n' });
    expect((await item(id)).status).toBe('draft');
    const published = await cli('edits', 'resolve', 'last', '--now');
    expect(published).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+ {2}Late: publish now\n1 done\.\n$/),
    });
    expect((await item(id)).status).toBe('published');
  });

  it.each([
    [['edit'], 'Enter the IDs of items, or use --query.'],
    [['edit', '1'], 'Enter what to change'],
    [['edit', '1', '--tag', 'x', '--title', 'y'], 'either the IDs'],
    [['edit', '1', '--title', 'a', '--title-prefix', 'b'], 'only one change of the title'],
    [['edit', '1', '--publish', 'soon'], 'Invalid value for --publish'],
    [['edit', '1', '--delete', '--title', 'a'], 'without other changes'],
    [['edits', 'resolve', 'last'], 'Use one of --mine'],
    [['edits', 'resolve', 'last', '--mine', '--theirs'], 'Use one of --mine'],
    [['edits', 'drop'], 'Enter an edit'],
  ])('refuse %j with exit code 2 and the reason', async (args, reason) => {
    const result = await cli(...args);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(reason);
  });
});
