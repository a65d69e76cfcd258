import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSystemBrowser, noBrowser } from '../../../../electron/engine/ports/system/browser-system.ts';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { DIRECT_BROWSER } from '../../../helpers/engine/direct-network.ts';

const events = { onClosed: () => {} };

function browser(command: readonly [string, ...string[]]) {
  return createSystemBrowser({ platform: 'test', clock: nodeClock, command });
}

/** A program that writes its arguments to a file and exits with this code. */
const program = (code: number, file = '') =>
  [
    process.execPath,
    '-e',
    `${file && `require('fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.argv.slice(1)));`} process.exit(${code})`,
  ] as const;

describe('the user’s browser', () => {
  it('gets the address as one argument, whatever it contains', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mediadesk-browser-'));
    const file = join(folder, 'seen.json');
    const url = 'https://media.example.org/a?x=1&y=%24(id)&z=;reboot|cat`id`';
    await browser(program(0, file)).open(url, events, DIRECT_BROWSER);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual([new URL(url).href]);
    await rm(folder, { recursive: true });
  });

  it.each(['file:///etc/passwd', 'javascript:alert(1)', 'smb://host/x', 'https://good@evil.example', '--help', ''])(
    'is not called with %s',
    async (url) => {
      await expect(browser(program(0)).open(url, events, DIRECT_BROWSER)).rejects.toMatchObject({
        code: 'input.invalid',
      });
    },
  );

  it('is reported when it is missing or does not start', async () => {
    const url = 'https://media.example.org/';
    for (const command of [program(3), ['/nonexistent/browser']] as const) {
      await expect(browser(command).open(url, events, DIRECT_BROWSER)).rejects.toMatchObject({
        code: 'sign-in.failed',
      });
    }
  });

  it('can be replaced by a link that the user opens', async () => {
    const window = await noBrowser.open('https://media.example.org/', events, DIRECT_BROWSER);
    window.close();
  });
});
