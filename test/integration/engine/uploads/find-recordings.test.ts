import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../../../electron/engine/ports/system/node-files.ts';
import { findRecordings } from '../../../../electron/engine/uploads/adding/find-recordings.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mediadesk-find-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const put = (name: string, text = 'x') => {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
};

async function find(...paths: string[]): Promise<string[]> {
  const found: string[] = [];
  for await (const finding of findRecordings(nodeFiles, paths, { sidecars: true })) {
    found.push('error' in finding ? `${basename(finding.path)}: ${finding.error.code}` : basename(finding.path));
  }
  return found;
}

describe('finding recordings', () => {
  it('walks folders in natural order', async () => {
    for (const name of ['take 10.wav', 'take 2.wav', 'Take 1.wav']) put(name);
    mkdirSync(join(dir, 'b'));
    put('b/inside.mp4');
    expect(await find(dir)).toEqual(['inside.mp4', 'Take 1.wav', 'take 2.wav', 'take 10.wav']);
  });

  it('returns every file once, however often it was dropped', async () => {
    const file = put('a.wav');
    expect(await find(file, dir, file)).toEqual(['a.wav']);
  });

  it('skips files that cannot be sent, each with its reason', async () => {
    put('empty.wav', '');
    put('.DS_Store');
    put('recording.mp4.part');
    symlinkSync(join(dir, 'nowhere'), join(dir, 'dangling.wav'));
    execFileSync('mkfifo', [join(dir, 'pipe.mp4')]);
    expect(await find(dir, join(dir, 'gone.wav'))).toEqual([
      '.DS_Store: file.hidden',
      'dangling.wav: file.link-broken',
      'empty.wav: file.empty',
      'pipe.mp4: file.not-regular',
      'recording.mp4.part: file.hidden',
      'gone.wav: file.missing',
    ]);
  });

  it('reads each file a few times, however many captions one recording has', async () => {
    put('talk.mp4');
    const letters = [...'abcdefghijklmnop'];
    const captions = letters.flatMap((one) => letters.map((other) => put(`talk.en-${one}${other}.vtt`)));
    let reads = 0;
    const counted =
      <Result>(read: (path: string) => Promise<Result>) =>
      (path: string) => {
        reads += 1;
        return read(path);
      };
    const files = { ...nodeFiles, facts: counted(nodeFiles.facts), assertReadable: counted(nodeFiles.assertReadable) };
    const found = [];
    for await (const finding of findRecordings(files, [dir], { sidecars: true })) found.push(finding);
    expect(found.map(({ path }) => path)).toEqual([join(dir, 'talk.mp4')]);
    expect(found.flatMap((each) => ('sidecars' in each ? each.sidecars : []))).toHaveLength(captions.length);
    expect(reads).toBeLessThan(5 * captions.length);
  });

  it('returns a hidden or unusual file that was dropped directly', async () => {
    expect(await find(put('.secret-take.wav'))).toEqual(['.secret-take.wav']);
  });

  it('skips devices and sockets that were dropped directly', async () => {
    const path = join(dir, 'socket.mp4');
    const server = createServer().listen(path);
    await new Promise((resolve) => server.once('listening', resolve));
    expect(await find('/dev/null', path)).toEqual(['null: file.not-regular', 'socket.mp4: file.not-regular']);
    server.close();
  });

  it('terminates for folders that link to themselves', async () => {
    mkdirSync(join(dir, 'loop'));
    put('loop/a.wav');
    symlinkSync(join(dir, 'loop'), join(dir, 'loop', 'again'));
    expect(await find(dir)).toEqual(['a.wav']);
  });
});

describe('opening a file', () => {
  it('does not wait for a pipe without a writer', async () => {
    const path = join(dir, 'pipe.mp4');
    execFileSync('mkfifo', [path]);
    await expect(nodeFiles.open(path)).rejects.toMatchObject({ code: 'file.not-regular' });
  });
});
