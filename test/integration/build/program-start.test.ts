import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { programPath } from '../../helpers/system/programs.ts';

const COMMAND = programPath(new URL('../../../electron/cli/mediadesk.ts', import.meta.url));
/** Writes the modules of Node that a program has loaded, when it ends. */
const REPORTER = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => console.error(JSON.stringify(process.moduleLoadList)));",
)}`;

describe('a bundled program', () => {
  it('starts without the parts of Node that it does not use', async () => {
    const { stderr } = await promisify(execFile)(process.execPath, ['--import', REPORTER, COMMAND, '--version']);
    const loaded = JSON.parse(stderr) as string[];
    expect(loaded).toContain('NativeModule http');
    expect(loaded.filter((name) => /undici|webcrypto/.test(name))).toEqual([]);
  });
});
