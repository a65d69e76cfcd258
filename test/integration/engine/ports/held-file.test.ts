import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isHeldByOther } from '../../../../electron/engine/ports/system/held-file.ts';
import { createFileMover } from '../../../../electron/engine/ports/system/node-file-mover.ts';
import { writeReceipt } from '../../../../electron/main/write-receipt.ts';

let dir: string;
let running: ChildProcess;
let program: string;

// On Linux, a running program is the file that no other program may write.
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'mediadesk-held-'));
  program = join(dir, 'cat');
  copyFileSync('/bin/cat', program);
  running = spawn(program, { stdio: ['pipe', 'ignore', 'ignore'] });
  await once(running, 'spawn');
});
afterEach(async () => {
  const ended = once(running, 'exit');
  running.kill();
  await ended;
  rmSync(dir, { recursive: true, force: true });
});

const failure = (code: string) => Object.assign(new Error(code), { code });

describe.runIf(process.platform === 'linux')('a file that another program has open', () => {
  it('is reported when a copy would replace it, and not as missing permissions', async () => {
    const from = join(dir, 'a');
    writeFileSync(from, 'new');
    const copy = createFileMover(null).copy(from, program, new AbortController().signal);
    await expect(copy).rejects.toMatchObject({ code: 'source.in-use', details: { reason: 'ETXTBSY', folder: dir } });
  });

  it('is reported when a receipt would replace it', async () => {
    await expect(writeReceipt(program, 'text')).rejects.toMatchObject({
      message: expect.stringMatching(/another program has the file open; close it there\.$/),
    });
  });

  it('is found by opening it when the system reports missing permissions', async () => {
    const free = join(dir, 'free');
    writeFileSync(free, '');
    expect(await isHeldByOther(failure('EPERM'), free, program)).toBe(true);
    expect(await isHeldByOther(failure('EACCES'), free)).toBe(false);
    expect(await isHeldByOther(failure('EPERM'), join(dir, 'gone'))).toBe(false);
  });

  it.each(['ENOSPC', 'ENOENT', 'EROFS'])('is not the reason of %s', async (code) =>
    expect(await isHeldByOther(failure(code), program)).toBe(false),
  );
});
