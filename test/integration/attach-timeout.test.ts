// Tests when a launch by Playwright may be repeated: real processes instead of the app, and the real Playwright.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAttachTimeout } from '../helpers/desktop/attach-timeout.ts';

const READY = `console.error('{"level":"info","event":"shell.ready"}');`;
const RUNS = 'setTimeout(() => {}, 20_000);';
const ATTACH_WITHIN_MS = 3_000;
/** By then, Playwright has attached to the debugger of the main process and waits for the debugger of the browser. */
const LATER_MS = 1_500;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mediadesk-attach-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Launches a program as if it were Electron, with the debugger of Node but without a browser; resolves with the error. */
async function failedLaunch(program: string): Promise<unknown> {
  const place = await mkdtemp(join(folder, 'app-'));
  const executablePath = join(place, 'app');
  await writeFile(join(place, 'app.cjs'), program);
  await writeFile(executablePath, `#!/bin/sh\nexec "${process.execPath}" --inspect=0 "${place}/app.cjs"\n`, {
    mode: 0o755,
  });
  return _electron.launch({ executablePath, timeout: ATTACH_WITHIN_MS }).then(
    async (app) => app.close(),
    (error: unknown) => error,
  );
}

describe.concurrent('a launch of the app', () => {
  it.each([
    ['is ready', READY + RUNS],
    ['is not ready in time', RUNS],
  ])('is repeated when the app runs and %s, but Playwright does not attach', async (_name, program) => {
    expect(isAttachTimeout(await failedLaunch(program))).toBe(true);
  });

  it.each([
    ['ends after it was ready', `${READY} setTimeout(() => process.exit(0), ${LATER_MS});`],
    ['crashes after it was ready', `${READY} setTimeout(() => process.abort(), ${LATER_MS});`],
    ['ends before it is ready', `setTimeout(() => process.exit(1), ${LATER_MS});`],
  ])('is not repeated when the app %s', async (_name, program) => {
    const error = await failedLaunch(program);
    expect(error).toBeInstanceOf(Error);
    expect(isAttachTimeout(error)).toBe(false);
  });
});
