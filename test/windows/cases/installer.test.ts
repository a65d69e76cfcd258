import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { INSTALLER } from '../installer.ts';

const installer = process.env[INSTALLER];
const CLASSES = 'HKCU\\Software\\Classes';

/** What is registered below a key; empty: it does not exist. */
function registered(key: string): string {
  try {
    return execFileSync('reg', ['query', `${CLASSES}\\${key}`, '/s'], { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return '';
  }
}

describe.skipIf(installer === undefined)('the installer', () => {
  const folder = join(process.env.LOCALAPPDATA ?? '', 'Programs', 'mediadesk');
  const command = `"${join(folder, 'Mediadesk.exe')}" "%1"`;

  it('registers links and “Open with”, as the default for no kind of file, and removes both', async () => {
    execFileSync(installer ?? '', []);
    expect(registered('mediadesk')).toContain(command);
    expect(registered('mediadesk')).toContain('URL Protocol');
    const offered = registered('Applications\\Mediadesk.exe');
    expect(offered).toContain(command);
    for (const ending of ['.mov', '.mxf', '.wav', '.mp3']) expect(offered).toContain(`${ending} `);
    expect(registered('.mov')).toBe('');
    // Without `_?=FOLDER` the uninstaller copies itself and ends before the copy has finished.
    execFileSync(join(folder, 'uninstall.exe'), [`_?=${folder}`]);
    expect(registered('mediadesk')).toBe('');
    expect(registered('Applications\\Mediadesk.exe')).toBe('');
  });
});
