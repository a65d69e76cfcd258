import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isolation, runTool, type ToolLimits } from '../../../../service/processing/tools/run-tool.ts';

const never = new AbortController().signal;
const LIMITS: ToolLimits = { seconds: 20, memoryBytes: 2 ** 31, outputBytes: 1024 * 1024 };
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-tool-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const shell = (script: string, limits: Partial<ToolLimits> = {}) =>
  runTool('/bin/sh', ['-c', script], { ...LIMITS, ...limits }, never);

describe.skipIf(process.platform === 'win32')('a media tool', () => {
  test('returns its output, and its last messages when it fails', async () => {
    expect(await shell('echo yes')).toBe('yes\n');
    await expect(shell('echo first >&2; echo last >&2; exit 3')).rejects.toThrow('first last');
    await expect(shell('exit 3')).rejects.toThrow('The tool ended (3).');
  });

  test('is killed at its time limit, whether it uses the processor or sleeps', { timeout: 60_000 }, async () => {
    await expect(shell('exec sleep 60', { seconds: 1 })).rejects.toThrow('longer than 1 s');
    // The limit of processor time and that of the clock end at the same moment: either can come first.
    await expect(shell('while :; do :; done', { seconds: 1 })).rejects.toThrow(/longer than 1 s|SIGKILL/);
  });

  test('is killed when it writes a file that is too large', async () => {
    const path = join(folder, 'large');
    await expect(shell(`exec head -c 9000000 /dev/zero > ${path}`)).rejects.toThrow();
    expect(statSync(path).size).toBeLessThanOrEqual(LIMITS.outputBytes);
  });

  test('is killed when its output is too large', async () => {
    await expect(shell('exec head -c 9000000 /dev/zero')).rejects.toThrow('wrote too much');
  });

  test.runIf(process.platform === 'linux')('gets no more memory than its limit', async () => {
    const greedy = `exec ${process.execPath} -e 'Buffer.alloc(1e9).fill(1); console.log("had it")'`;
    await expect(shell(greedy, { memoryBytes: 300 * 1024 * 1024 })).rejects.toThrow();
  });

  test('gets no environment variables of the service', async () => {
    process.env.LIBRARY_TEST_SECRET = 'secret';
    try {
      expect(await shell('env')).not.toContain('secret');
    } finally {
      delete process.env.LIBRARY_TEST_SECRET;
    }
  });

  test('is not started when its signal is aborted, and is killed when it aborts later', async () => {
    const stop = new AbortController();
    const run = runTool('/bin/sh', ['-c', 'exec sleep 60'], LIMITS, stop.signal);
    stop.abort(new Error('Enough.'));
    await expect(run).rejects.toThrow('Enough.');
    await expect(runTool('/bin/sh', ['-c', 'exit 0'], LIMITS, stop.signal)).rejects.toThrow('Enough.');
  });

  test('has no network where the system permits its isolation', async (context) => {
    if (!(await isolation()).includes('--net'))
      return context.skip('this system does not let us take the network away');
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const ask = `exec ${process.execPath} -e 'fetch("${url}").then(() => {}, () => process.exit(9))'`;
    await expect(shell(ask, { memoryBytes: 2 ** 40 })).rejects.toThrow('The tool ended (9).');
    expect(asked).toBe(0);
    server.close();
  });
});
