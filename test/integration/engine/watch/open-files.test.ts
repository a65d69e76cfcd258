import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { link, mkdir, mkdtemp, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
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

const PYTHON = spawnSync('python3', ['-c', 'import mmap']).status === 0;

/** Starts a program that maps a file and closes it, also the copy of its descriptor that Python keeps. */
async function mapper(access: string, path: string): Promise<ChildProcess> {
  const script = `import mmap, os, sys
with open(sys.argv[1], 'r+b') as file: mapped = mmap.mmap(file.fileno(), 0, access=mmap.${access})
os.closerange(3, 256)
print('mapped', flush=True)
sys.stdin.readline()
os._exit(0)`;
  const child = spawn('python3', ['-c', script, path], { stdio: ['pipe', 'pipe', 'ignore'] });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

/** The clock of a minute later with each request: no result is used twice. */
function hurried(): typeof nodeClock {
  let passedMs = 0;
  return {
    ...nodeClock,
    monotonic() {
      passedMs += 60_000;
      return nodeClock.monotonic() + passedMs;
    },
  };
}

async function asked(openFiles: ReturnType<typeof createNodeOpenFiles>, path: string): Promise<boolean | null> {
  const { dev, ino } = await stat(path, { bigint: true });
  return openFiles.isOpenForWriting({ path, identity: `${dev}:${ino}` });
}

/** How this user may start a program with mounts of its own; null: not at all. */
const UNSHARE = [['-m'], ['-rm']].find((options) => spawnSync('unshare', [...options, 'true']).status === 0) ?? null;

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.stdin?.end('\n');
  await exit;
}

describe.runIf(process.platform === 'linux')('files that other programs have open', () => {
  const openFiles = createNodeOpenFiles('linux', hurried());

  it.each(['>>', '<>'] as const)('are found while they are open for writing (%s), and not later', async (way) => {
    const path = await put('a.txt');
    const child = await opener(way, path);
    expect(await asked(openFiles, path)).toBe(true);
    await end(child);
    expect(await asked(openFiles, path)).not.toBe(true);
  });

  it.runIf(PYTHON)(
    'are found while a program has them mapped for writing and has closed them, and not later',
    async () => {
      const path = await put('a.txt');
      const child = await mapper('ACCESS_WRITE', path);
      expect(
        readdirSync(`/proc/${child.pid}/fd`).map((name) => readlinkSync(`/proc/${child.pid}/fd/${name}`)),
      ).not.toContain(path);
      expect(await asked(openFiles, path)).toBe(true);
      await end(child);
      expect(await asked(openFiles, path)).not.toBe(true);
    },
  );

  it.runIf(PYTHON).each(['ACCESS_READ', 'ACCESS_COPY'])(
    'are not found while they are mapped with %s',
    async (access) => {
      const path = await put('a.txt');
      await mapper(access, path);
      expect(await asked(openFiles, path)).not.toBe(true);
    },
  );

  it('are not found while they are only open for reading', async () => {
    const path = await put('a.txt');
    await opener('<', path);
    expect(await asked(openFiles, path)).not.toBe(true);
  });

  it('are found by a path that contains a link, and by a name with letters beyond ASCII', async () => {
    await mkdir(join(folder, 'real'));
    const path = await put('real/b\u0308.txt');
    await symlink(join(folder, 'real'), join(folder, 'link'));
    await opener('>>', path);
    expect(await asked(openFiles, join(folder, 'link', 'b\u0308.txt'))).toBe(true);
  });

  it('are distinguished when several files are checked at the same time', async () => {
    const paths = await Promise.all(['a', 'b', 'c', 'd'].map((name) => put(name)));
    await opener('>>', paths[1] as string);
    await opener('>>', paths[3] as string);
    const answers = await Promise.all(paths.map((path) => asked(openFiles, path)));
    expect(answers.map((answer) => answer === true)).toEqual([false, true, false, true]);
  });

  it('are found when a program has opened them by another name (a hard link)', async () => {
    const path = await put('a.txt');
    await link(path, join(folder, 'b.txt'));
    await opener('>>', join(folder, 'b.txt'));
    expect(await asked(openFiles, path)).toBe(true);
  });

  it('are found when they got another name since a program opened them', async () => {
    const path = await put('a.part');
    await opener('>>', path);
    await rename(path, join(folder, 'a.txt'));
    expect(await asked(openFiles, join(folder, 'a.txt'))).toBe(true);
  });

  it.runIf(UNSHARE !== null)('are found when a program with mounts of its own has another path for them', async () => {
    const path = await put('a.txt');
    await mkdir(join(folder, 'mounted'));
    const script = `mount --bind "$1" "$1/mounted" && cd / && exec 3>>"$1/mounted/a.txt"; echo open; read line`;
    const child = spawn('unshare', [...(UNSHARE ?? []), 'sh', '-c', script, 'sh', folder], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    children.push(child);
    await once(child.stdout, 'data');
    expect(await asked(openFiles, path)).toBe(true);
    await end(child);
    expect(await asked(openFiles, path)).not.toBe(true);
  });

  it('have an unknown state (null) on a file system that gives no numbers', async () => {
    expect(await openFiles.isOpenForWriting({ path: await put('a.txt'), identity: '5:0' })).toBeNull();
  });

  it('are looked up once for many files that become quiet in the same second', async () => {
    const path = await put('a.txt');
    const still = { ...nodeClock, monotonic: () => 5000 };
    const once = createNodeOpenFiles('linux', still);
    expect(await asked(once, path)).not.toBe(true);
    await opener('>>', path);
    expect(await asked(once, path)).not.toBe(true);
    still.monotonic = () => 7000;
    expect(await asked(once, path)).toBe(true);
  });
});

describe('a check for open files without a system list of them', () => {
  it.each(['darwin', 'win32'])('has an unknown result on %s', async (platform) => {
    expect(await asked(createNodeOpenFiles(platform, nodeClock), await put('a.txt'))).toBeNull();
  });

  it('has an unknown result on Linux without the list', async () => {
    expect(await asked(createNodeOpenFiles('linux', nodeClock, folder), await put('a.txt'))).toBeNull();
  });
});

describe('the inspection of a quiet file', () => {
  const questions: string[] = [];
  const inspect = createInspect({
    isOpenForWriting: async ({ path }) => {
      questions.push(path);
      return true;
    },
  });

  async function inspected(name: string, bytes: Uint8Array, blocks: number | null = null) {
    const path = join(folder, name);
    await writeFile(path, bytes);
    const file = await nodeFiles.open(path);
    try {
      return await inspect({ path, identity: '1:1', sizeBytes: bytes.length, blocks }, file);
    } finally {
      await file.close();
    }
  }

  it('checks whether a program has the file open, also when its contents look complete', async () => {
    expect(await inspected('a.pdf', Buffer.from('%PDF-1.7 %%EOF'))).toEqual({
      isOpenElsewhere: true,
      isUnfilled: false,
      container: { kind: 'complete' },
    });
    expect(await inspected('notes.txt', Buffer.from('text'))).toMatchObject({ isOpenElsewhere: true });
    expect(questions).toEqual(['a.pdf', 'notes.txt'].map((name) => join(folder, name)));
  });

  it('asks nothing about a file whose contents are incomplete', async () => {
    questions.length = 0;
    expect(await inspected('b.pdf', Buffer.from('%PDF-1.7'))).toMatchObject({ container: { reason: 'end-missing' } });
    expect(questions).toEqual([]);
  });

  it('reports a file that ends with zero bytes, or has too few blocks, as one that may not be filled', async () => {
    const full = Buffer.alloc(200_000, 1);
    expect(await inspected('a.bin', full, 392)).toMatchObject({ isUnfilled: false });
    expect(await inspected('a.bin', full, 100)).toMatchObject({ isUnfilled: true });
    // Some file systems report no blocks at all.
    expect(await inspected('a.bin', full, 0)).toMatchObject({ isUnfilled: false });
    expect(await inspected('a.bin', Buffer.concat([full, Buffer.alloc(70_000)]))).toMatchObject({ isUnfilled: true });
    expect(await inspected('a.bin', Buffer.alloc(100))).toMatchObject({ isUnfilled: false });
  });
});
