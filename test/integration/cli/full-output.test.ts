// Standard output that takes nothing more.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { programPath } from '../../helpers/system/programs.ts';

const PROGRAM = programPath(new URL('../../../electron/cli/mediadesk.ts', import.meta.url));

describe('a command whose output can’t be written', { timeout: 60_000 }, () => {
  it.runIf(process.platform === 'linux')('says that the drive is full, and ends with 1', () => {
    const full = openSync('/dev/full', 'w');
    try {
      const { status, stderr } = spawnSync(process.execPath, [PROGRAM, 'help', 'access', 'report'], {
        stdio: ['ignore', full, 'pipe'],
      });
      expect({ status, stderr: String(stderr) }).toEqual({
        status: 1,
        stderr: 'mediadesk: The output isn’t complete: the drive is full.\n',
      });
    } finally {
      closeSync(full);
    }
  });
});
