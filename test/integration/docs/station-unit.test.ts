// The unit file of docs/station.md, checked by systemd itself.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../../electron/cli/output/exit-codes.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../../docs/station.md'), 'utf8');
const UNIT = /```ini\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? '';

function hasSystemd(): boolean {
  try {
    execFileSync('systemd-analyze', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('the unit file in the documentation', () => {
  it('starts the station again only after exit codes that a later start can change', () => {
    const prevented = /^RestartPreventExitStatus=(.*)$/m.exec(UNIT)?.[1]?.split(' ').map(Number);
    expect(prevented).toEqual([EXIT.incomplete, EXIT.usage, EXIT.notSignedIn]);
    for (const code of [EXIT.complete, EXIT.incomplete, EXIT.usage, EXIT.notSignedIn, EXIT.profileInUse, EXIT.notNow]) {
      expect(PAGE).toContain(`\n| ${code} |`);
    }
  });

  it.runIf(hasSystemd())('is accepted by systemd without a warning', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mediadesk-unit-'));
    try {
      // The program of this test stands for the one that the page installs.
      const unit = UNIT.replace('/usr/bin/mediadesk', process.execPath);
      expect(unit).not.toBe(UNIT);
      const path = join(folder, 'mediadesk-station.service');
      writeFileSync(path, unit);
      expect(execFileSync('sh', ['-c', 'systemd-analyze verify "$1" 2>&1', 'sh', path], { encoding: 'utf8' })).toBe('');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
