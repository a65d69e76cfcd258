// The command line adds captions to the item of a recording that was uploaded earlier, and says so.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CliProfile, openCliProfile } from '../../helpers/cli/cli-profile.ts';
import { clientFor } from '../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

let service: ServiceProcess;
let account: CliProfile;

beforeAll(async () => {
  service = await startService({ seed: 'demo' });
  await service.control('PATCH', '/settings', { processing: { outcome: 'complete' } });
  account = await openCliProfile(service);
}, 600_000);
afterAll(async () => {
  await service?.stop();
  await account?.close();
});

const put = async (name: string, text: string) => {
  const path = join(account.folder, name);
  await writeFile(path, text);
  return path;
};
const upload = (path: string, ...args: string[]) =>
  account.run('upload', path, '--collection', 'library', '--wait', ...args);

it('captions of an uploaded recording go to its item; --no-sidecars makes them items of their own', async () => {
  const recording = await upload(await put('talk.mp4', 'talk'), '--json');
  expect(recording.code).toBe(0);
  const vtt = (text: string) => `WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n`;

  const late = await upload(await put('talk.de.vtt', vtt('Hallo')));
  expect(late.code).toBe(0);
  expect(late.stderr).toMatch(
    /Captions of talk\.mp4: .*talk\.de\.vtt is added to “talk” in “Library” \(uploaded on .+\)\./,
  );
  expect(late.stderr).toContain('To upload captions, thumbnails and details as items of their own, use --no-sidecars.');
  expect(late.stdout).toMatch(/^Queued 1 file \(.+\) for items of earlier uploads as batch \S+\.$/m);
  expect(late.stdout).not.toContain('Queued 0');

  const direct = await clientFor(service);
  const { body } = await direct.get('/api2/media?per_page=200&sort=created_on&order=desc');
  const items = body.items as { id: string; title: string }[];
  const talks = items.filter(({ title }) => title.startsWith('talk'));
  expect(talks.map(({ title }) => title)).toEqual(['talk']);
  const files = await direct.get(`/api2/media/${talks[0]?.id}/files`);
  expect(JSON.stringify(files.body)).toContain('talk.de.vtt');

  // The same captions again are skipped with a reason, because only the user can decide what they are for.
  const again = await upload(join(account.folder, 'talk.de.vtt'), '--json');
  expect(again.code).not.toBe(0);
  expect(again.records).toContainEqual({
    skipped: expect.objectContaining({ error: expect.objectContaining({ code: 'file.pair-unclear' }) }),
  });

  const json = await upload(await put('talk.en.vtt', vtt('Hello')), '--json');
  expect(json.records).toContainEqual({
    late: {
      path: join(account.folder, 'talk.en.vtt'),
      kind: 'captions',
      upload: expect.objectContaining({ title: 'talk' }),
    },
  });
  const details = await upload(await put('talk.json', JSON.stringify({ title: 'From JSON', byline: 'Ada' })));
  expect(details.code).toBe(0);
  expect(details.stderr).toMatch(/Details of talk\.mp4: .*talk\.json changes title, byline of “talk” in “Library”/);
  expect(details.stdout).toContain('Described items of earlier uploads with 1 file.');
  expect(details.stdout).not.toContain('Queued');
  expect((await direct.get(`/api2/media/${talks[0]?.id}`)).body).toMatchObject({ title: 'From JSON', byline: 'Ada' });

  expect((await upload(await put('talk.fr.vtt', vtt('Salut')), '--no-sidecars')).code).toBe(0);
  const after = await direct.get('/api2/media?per_page=200&sort=created_on&order=desc');
  expect((after.body.items as { title: string }[]).map(({ title }) => title)).toContain('talk.fr');
}, 600_000);

const captions = (name: string) => readFile(join(import.meta.dirname, '../../fixtures/captions', name));

it('captions that no library accepts are not sent, and the last line and the exit code of the upload say so', async () => {
  const recording = await put('broadcast.mp4', 'broadcast');
  await writeFile(join(account.folder, 'broadcast.srt'), await captions('scc-as-srt.srt'));
  const sent = await upload(recording);
  expect(sent.code).toBe(1);
  expect(sent.stdout.trimEnd().split('\n').at(-1)).toMatch(
    /^1 file: 1 complete \(.+\)\. 1 captions file was not added\.$/,
  );
  expect(sent.stderr).toContain('These captions are in the format Scenarist SCC, which libraries don’t accept.');
}, 600_000);

it('captions in an old encoding are sent in UTF-8, and the upload says that the encoding was guessed', async () => {
  const recording = await put('kino.mp4', 'kino');
  await writeFile(join(account.folder, 'kino.ru.srt'), await captions('cp1251.srt'));
  const sent = await upload(recording);
  expect(sent.code).toBe(0);
  expect(sent.stderr).toContain('kino.ru.srt doesn’t say its encoding. Mediadesk guessed windows-1251');
  const direct = await clientFor(service);
  const { body } = await direct.get('/api2/media?per_page=200&sort=created_on&order=desc');
  const item = (body.items as { id: string; title: string }[]).find(({ title }) => title === 'kino');
  const { body: files } = await direct.get(`/api2/media/${item?.id}/files`);
  const file = (files.items as { display_name: string; links: { content: string } }[]).find(
    ({ display_name }) => display_name === 'kino.ru.srt',
  );
  const { body: content } = await direct.get(`${file?.links.content}?json`);
  const text = await (await fetch(content.location)).text();
  expect(text).toContain('Привет');
}, 600_000);
