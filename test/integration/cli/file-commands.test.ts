// Commands for the files of items, as separate processes against the real service.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliProfile, errorOf, openCliProfile } from '../../helpers/cli/cli-profile.ts';
import { clientFor, type ServiceClient } from '../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';
import { png, srt } from '../../helpers/service/service-samples.ts';

let service: ServiceProcess;
let account: CliProfile;
let folder: string;
let direct: ServiceClient;

beforeAll(async () => {
  service = await startService({ env: { PATH: '' } });
  await service.control('PATCH', '/settings', { processing: { outcome: 'complete' } });
  direct = await clientFor(service);
  account = await openCliProfile(service);
  ({ folder } = account);
}, 600_000);
afterAll(async () => {
  await service?.stop();
  await account?.close();
});

const cli = (...args: string[]) => account.run(...args);

async function put(name: string, contents: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, contents);
  return path;
}

describe('commands for the files of an item', { timeout: 300_000 }, () => {
  it('add, replace, caption, embed, list and delete files', async () => {
    const item = await direct.createItem('Lecture');
    const id = item.split('/').at(-1) ?? '';
    await direct.processed(await direct.upload(item, 'talk.mp4', Buffer.from('talk')));
    const files = async () =>
      (await direct.get(`${item}/files`)).body.items.map((file: { id: string; display_name: string }) => file);
    const names = async () => (await files()).map(({ display_name: name }: { display_name: string }) => name).sort();
    const idOf = async (name: string): Promise<string> =>
      (await files()).find((file: { display_name: string }) => file.display_name === name).id;

    expect(await cli('files', 'add', id, await put('slides.png', png()), '--wait')).toMatchObject({ code: 0 });
    expect(await names()).toEqual(['slides.png', 'talk.mp4']);
    const better = await put('better.png', png(80, 60));
    expect(await cli('files', 'replace', id, await idOf('slides.png'), better, '--wait')).toMatchObject({ code: 0 });
    expect(await names()).toEqual(['better.png', 'talk.mp4']);
    const captions = await put('talk.de.srt', srt);
    expect(await cli('captions', 'add', id, captions, '--label', 'Simple', '--wait')).toMatchObject({ code: 0 });
    expect(await names()).toContain('Simple.de.srt');
    expect(await cli('captions', 'add', id, better, '--json')).toMatchObject({ code: 1 });
    expect(await cli('thumbnail', 'set', id, await put('cover.png', png()), '--wait')).toMatchObject({ code: 0 });
    const address = 'https://video.example.org/1';
    expect(await cli('files', 'embed', id, address, '--name', 'Interview')).toMatchObject({ code: 0 });

    const listed = await cli('captions', 'list', id, '--json');
    expect(listed.records).toMatchObject([{ file: { display_name: 'Simple.de.srt', type: 'captions' } }]);
    const interview = await idOf('Interview');
    const asked = await cli('files', 'delete', id, interview);
    expect([asked.code, await names()]).toEqual([1, expect.arrayContaining(['Interview'])]);
    const deleted = await cli('files', 'delete', id, interview, '--yes', '--json');
    expect(deleted.records).toEqual([{ deletedFile: { mediaId: id, fileId: interview, isPending: false } }]);
    expect(await names()).toEqual(['Simple.de.srt', 'better.png', 'talk.mp4']);
  });

  it('refuse captions for an item without a recording, with exit code 1', async () => {
    const item = await direct.createItem('Without a recording');
    const refused = await cli('captions', 'add', item.split('/').at(-1) ?? '', await put('late.srt', srt), '--json');
    expect([refused.code, errorOf(refused).code]).toEqual([1, 'captions.no-recording']);
  });
});
