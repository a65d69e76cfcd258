import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../../../electron/engine/ports/system/node-files.ts';
import { createNodeOpenFiles } from '../../../../electron/engine/ports/system/node-open-files.ts';
import { createInspect } from '../../../../electron/engine/watch/readiness/inspect.ts';

let folder: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'open-files-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) await end(child);
  await rm(folder, { recursive: true });
});

async function put(name: string, text = 'some text'): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

/** Starts a program that opens a file as the redirection requires, and returns when the file is open. */
async function opener(redirection: '<' | '>>' | '<>', path: string): Promise<ChildProcess> {
  const child = spawn('sh', ['-c', `exec 3${redirection}"$1"; echo open; read line`, 'sh', path], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  children.push(child);
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.stdin?.end('\n');
  await exit;
}

describe.runIf(process.platform === 'linux')('files that other programs have open', () => {
  const openFiles = createNodeOpenFiles('linux');

  it.each(['>>', '<>'] as const)('are found while they are open for writing (%s), and not later', async (way) => {
    const path = await put('a.txt');
    const child = await opener(way, path);
    expect(await openFiles.isOpenForWriting(path)).toBe(true);
    await end(child);
    expect(await openFiles.isOpenForWriting(path)).not.toBe(true);
  });

  it('are not found while they are only open for reading', async () => {
    const path = await put('a.txt');
    await opener('<', path);
    expect(await openFiles.isOpenForWriting(path)).not.toBe(true);
  });

  it('are found by a path that contains a link, and by a name with letters beyond ASCII', async () => {
    await mkdir(join(folder, 'real'));
    const path = await put('real/b\u0308.txt');
    await symlink(join(folder, 'real'), join(folder, 'link'));
    await opener('>>', path);
    expect(await openFiles.isOpenForWriting(join(folder, 'link', 'b\u0308.txt'))).toBe(true);
  });

  it('are distinguished when several files are checked at the same time', async () => {
    const paths = await Promise.all(['a', 'b', 'c', 'd'].map((name) => put(name)));
    await opener('>>', paths[1] as string);
    await opener('>>', paths[3] as string);
    const answers = await Promise.all(paths.map((path) => openFiles.isOpenForWriting(path)));
    expect(answers.map((answer) => answer === true)).toEqual([false, true, false, true]);
  });

  it('have an unknown state (null) when the file was deleted', async () => {
    expect(await openFiles.isOpenForWriting(join(folder, 'gone'))).toBeNull();
  });
});

describe('a check for open files without a system list of them', () => {
  it.each(['darwin', 'win32'])('has an unknown result on %s', async (platform) => {
    expect(await createNodeOpenFiles(platform).isOpenForWriting(await put('a.txt'))).toBeNull();
  });

  it('has an unknown result on Linux without the list', async () => {
    expect(await createNodeOpenFiles('linux', folder).isOpenForWriting(await put('a.txt'))).toBeNull();
  });
});

describe('the inspection of a quiet file', () => {
  const asked: string[] = [];
  const inspect = createInspect({
    isOpenForWriting: async (path) => {
      asked.push(path);
      return true;
    },
  });

  async function inspected(name: string, text: string) {
    const path = await put(name, text);
    const file = await nodeFiles.open(path);
    try {
      return await inspect(path, file, Buffer.byteLength(text));
    } finally {
      await file.close();
    }
  }

  it('checks whether a program has the file open only when the contents do not show whether it is complete', async () => {
    expect(await inspected('a.pdf', '%PDF-1.7 %%EOF')).toEqual({
      isOpenElsewhere: null,
      container: { kind: 'complete' },
    });
    expect(await inspected('b.pdf', '%PDF-1.7')).toMatchObject({ container: { reason: 'end-missing' } });
    expect(asked).toEqual([]);
    expect(await inspected('notes.txt', 'text')).toEqual({ isOpenElsewhere: true, container: { kind: 'unknown' } });
    expect(asked).toEqual([join(folder, 'notes.txt')]);
  });
});
