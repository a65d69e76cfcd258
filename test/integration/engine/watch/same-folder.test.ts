import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { isBelowFolder, isSameFolder } from '../../../../electron/engine/ports/same-folder.ts';
import { nodeFiles } from '../../../../electron/engine/ports/system/node-files.ts';
import { deskTest } from '../../../helpers/engine/desk.ts';
import { WITHOUT_EVENTS, watchFolder } from '../../../helpers/engine/watch-desk.ts';

const it = deskTest();
it.override({ host: WITHOUT_EVENTS });

/** The files of a disk that doesn't distinguish capitals, on one that does. */
const withoutCapitals = (dir: string) => ({
  facts: (path: string) => nodeFiles.facts(path.startsWith(dir) ? dir + path.slice(dir.length).toLowerCase() : path),
});

describe('one folder under two paths', () => {
  it('is recognized by the disk: by capitals where they do not count, and not where they do', async ({ desk }) => {
    mkdirSync(join(desk.dir, 'sent/below'), { recursive: true });
    const [lower, upper] = [join(desk.dir, 'sent'), join(desk.dir, 'SENT')];
    expect(await isSameFolder(lower, upper, withoutCapitals(desk.dir))).toBe(true);
    expect(await isBelowFolder(join(upper, 'below', 'missing'), lower, withoutCapitals(desk.dir))).toBe(true);
    mkdirSync(upper);
    expect(await isSameFolder(lower, upper, nodeFiles)).toBe(false);
    expect(await isBelowFolder(join(upper, 'below'), lower, nodeFiles)).toBe(false);
  });

  it('is found among the watched folders, and its files too', async ({ desk }) => {
    mkdirSync(join(desk.dir, 'in'));
    const folder = await watchFolder(desk, join(desk.dir, 'in'));
    symlinkSync(join(desk.dir, 'in'), join(desk.dir, 'other'));
    writeFileSync(join(desk.dir, 'in/a.bin'), 'a');
    const at = (name: string) => desk.engine.call('watch.at', { path: join(desk.dir, name) });
    expect(await at('in')).toMatchObject({ id: folder.id });
    expect(await at('other')).toMatchObject({ id: folder.id });
    expect(await at('none')).toBeNull();
    expect(await at('.')).toBeNull();
  });
});
