import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkPictures } from '../../../build/check-pictures.ts';
import { recordSources } from '../../../build/screenshots/picture-sources.ts';

let root: string;

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

describe('pictures of the documentation', () => {
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'mediadesk-pictures-test-'));
    await put('README.md', '![Uploads](docs/screenshots/uploads-light.png)\n');
    await put('docs/user-guide.md', '![Library](screenshots/library-light.png)\n');
    await put('docs/screenshots/sources.json', '{}');
    await put('docs/screenshots/uploads-light.png', 'a picture');
    await put('docs/screenshots/library-light.png', 'a picture');
    await put('renderer/features/uploads/row.tsx', "// Why.\nexport const row = 'Queued';\n");
    await put('renderer/features/library/list.module.css', '.row { height: 40px; }\n');
    await put('renderer/kit/components/button.tsx', 'export const button = 1;\n');
    await recordSources(root, ['uploads-light.png', 'library-light.png']);
  });

  afterEach(() => rm(root, { recursive: true, force: true }));

  it('are current right after they were taken', async () => {
    expect(await checkPictures(root)).toEqual({ pictures: 2, stale: [], missing: [], unused: [] });
  });

  it('are stale when a source or a style of their view changes, and no other picture is', async () => {
    await put('renderer/features/library/list.module.css', '.row { height: 44px; }\n');
    expect((await checkPictures(root)).stale).toEqual(['library-light.png']);
  });

  it('are all stale when a component changes that every view uses', async () => {
    await put('renderer/kit/components/button.tsx', 'export const button = 2;\n');
    expect((await checkPictures(root)).stale).toEqual(['library-light.png', 'uploads-light.png']);
  });

  it('stay current when only a comment changes', async () => {
    await put('renderer/features/uploads/row.tsx', "// Another reason.\nexport const row = 'Queued';\n");
    expect((await checkPictures(root)).stale).toEqual([]);
  });

  it('keep their record when other pictures are taken', async () => {
    await put('renderer/features/library/list.module.css', '.row { height: 44px; }\n');
    await recordSources(root, ['uploads-light.png']);
    expect((await checkPictures(root)).stale).toEqual(['library-light.png']);
    await recordSources(root, ['library-light.png']);
    expect((await checkPictures(root)).stale).toEqual([]);
  });

  it('are reported when a page cites one that does not exist, or no page cites one', async () => {
    await put('docs/user-guide.md', '![Library](screenshots/gone-light.png)\n');
    expect(await checkPictures(root)).toMatchObject({ missing: ['gone-light.png'], unused: ['library-light.png'] });
  });

  it('are removed from the record when they no longer exist', async () => {
    await rm(join(root, 'docs/screenshots/library-light.png'));
    await recordSources(root, []);
    const record = JSON.parse(await readFile(join(root, 'docs/screenshots/sources.json'), 'utf8'));
    expect(Object.keys(record)).toEqual(['uploads-light.png']);
  });
});
