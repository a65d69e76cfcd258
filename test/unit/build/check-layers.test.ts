import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkLayers } from '../../../build/check-layers.ts';
import { checkSizes } from '../../../build/check-sizes.ts';
import { folderViolations } from '../../../build/checks/folder-violations.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'mediadesk-layers-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function tree(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

/** Returns the violations of one file with this text, without the file's name. */
async function violations(file: string, text: string): Promise<string[]> {
  await tree({ [file]: text });
  const found = await checkLayers(root);
  return found.violations.map(({ message }) => message);
}

describe('the dependency rules of the layers', () => {
  it('accept a tree in which each layer imports only what it may', async () => {
    await tree({
      'shared/api/media.ts': "import { z } from 'zod';",
      'shared/contract/contract.ts': "import { media } from '../api/media.ts';",
      'electron/engine/run.ts': "import { posix } from 'node:path';\nimport '../../shared/model/backoff.ts';",
      'electron/engine/api/transport.ts': "import type { Agent } from 'node:http';\nimport got from 'got';",
      'electron/main/main.ts': "import { app } from 'electron';\nimport '../engine/run.ts';\nimport 'node:fs';",
      'electron/main/ipc.ts': "import { ipcMain } from 'electron';",
      'electron/preload/preload.ts':
        "import { ipcRenderer } from 'electron';\nimport type { B } from '../../shared/contract/contract.ts';",
      'electron/cli/mediadesk.ts': "import manifest from '../../package.json';\nimport '../engine/run.ts';",
      'renderer/main.tsx': "import { createRoot } from 'react-dom/client';\nimport './styles/base.css';",
      'service/main.ts': "import Fastify from 'fastify';\nimport '../shared/api/media.ts';",
      'build/prepare.ts': "import { flipFuses } from '@electron/fuses';",
      'test/unit/x.test.ts':
        "import '../../electron/main/main.ts';\nimport { ipcMain } from 'electron';\nimport 'anything';",
    });
    // The rules have exceptions for files of the real tree: here these are reported as not used, which is no violation.
    const { violations: found } = await checkLayers(root);
    expect(found.filter(({ message }) => !message.includes('not used any more'))).toEqual([]);
  });

  it('report a package that the window loads through other files, but not one that is needed for types only', async () => {
    await tree({
      'renderer/main.tsx': "import './a.ts';",
      'renderer/a.ts': "import { x } from '../shared/model/x.ts';\nimport type { C } from '../shared/contract/c.ts';",
      'shared/model/x.ts': "import { y } from './y.ts';\nexport const x = y;",
      'shared/model/y.ts': 'export const y = 1;',
      'shared/contract/c.ts': "import { z } from 'zod';\nexport type C = typeof z;",
    });
    const loadsZod = async () =>
      (await checkLayers(root)).violations.filter(({ message }) => message.includes('loads zod'));
    expect(await loadsZod()).toEqual([]);
    await tree({ 'shared/model/y.ts': "import { z } from 'zod';\nexport const y = z.string();" });
    expect(await loadsZod()).toMatchObject([
      {
        file: 'shared/model/y.ts',
        message: expect.stringContaining('renderer/a.ts → shared/model/x.ts → shared/model/y.ts'),
      },
    ]);
  });

  it.each([
    ['renderer/a.ts', "import '../electron/engine/run.ts';", 'renderer may not import electron/engine/run.ts'],
    ['renderer/a.ts', "import { app } from 'electron';", 'electron may be imported only in electron/main/'],
    ['renderer/a.ts', "import { readFile } from 'node:fs/promises';", 'renderer runs without Node'],
    ['renderer/a.ts', "import { readFile } from 'fs/promises';", 'renderer runs without Node'],
    [
      'shared/model/a.ts',
      "import '../../electron/engine/run.ts';",
      'shared/model may not import electron/engine/run.ts',
    ],
    ['shared/model/a.ts', "import { join } from 'node:path';", 'shared/model runs without Node'],
    ['shared/api/a.ts', "import '../contract/contract.ts';", 'shared/api may not import shared/contract/contract.ts'],
    ['shared/model/a.ts', "import React from 'react';", 'shared/model may not import react'],
    ['electron/engine/a.ts', "import '../main/windows.ts';", 'electron/engine may not import electron/main/windows.ts'],
    ['electron/engine/a.ts', "import type { App } from 'electron';", 'electron may be imported only in electron/main/'],
    ['electron/engine/uploads/a.ts', "import got from 'got';", 'got may be imported only in electron/engine/api/'],
    ['electron/engine/account/a.ts', "const k = await import('keytar');", 'keytar may be imported only in'],
    ['electron/engine/uploads/a.ts', "import 'node:sqlite';", 'node:sqlite may be imported only in'],
    ['electron/cli/a.ts', "import '../main/main.ts';", 'electron/cli may not import electron/main/main.ts'],
    [
      'electron/preload/a.ts',
      "import '../../shared/model/backoff.ts';",
      'electron/preload may not import shared/model',
    ],
    ['electron/preload/a.ts', "import { join } from 'node:path';", 'electron/preload runs without Node'],
    ['electron/main/windows.ts', "import { ipcMain as ipc } from 'electron';", 'ipcMain may be used only in'],
    ['electron/preload/a.ts', "import { ipcRenderer } from 'electron';", 'ipcRenderer may be used only in'],
    ['service/a.ts', "import '../electron/engine/run.ts';", 'service may not import electron/engine/run.ts'],
    ['service/a.ts', "import '../shared/model/backoff.ts';", 'service may not import shared/model/backoff.ts'],
    ['service/a.ts', "import got from 'got';", 'got may be imported only in'],
    ['renderer/a.ts', "import { b } from './b';", 'write ./b with the extension of the file'],
    ['renderer/a.ts', "import { b } from '..';", 'write .. with the extension of the file'],
    ['electron/main/a.ts', "import { x } from '../../test/helpers/x.ts';", 'nothing but tests may import tests'],
    ['electron/main/a.ts', "import '../../build/prepare.ts';", 'electron/main may not import build/prepare.ts'],
    ['electron/main/a.ts', "import '../../../elsewhere/x.ts';", 'leaves the repository'],
    ['electron/main/a.ts', "import 'left-pad';", 'left-pad is not classified'],
    ['electron/main/a.ts', "export * from '@scope/new/deep';", '@scope/new is not classified'],
    ['electron/main/a.ts', "import { join } from 'path';", 'write node:path'],
    ['electron/main/a.ts', 'const name = "x";\nawait import(name);', 'an import whose module is not written out'],
    [
      'service/a.ts',
      "type X = import('../electron/engine/run.ts').X;",
      'service may not import electron/engine/run.ts',
    ],
    [
      'service/a.ts',
      "const x = require('../electron/engine/run.ts');",
      'service may not import electron/engine/run.ts',
    ],
    ['build/a.ts', "import '../electron/main/main.ts';", 'build may not import electron/main/main.ts'],
    ['shared/other/a.ts', "import '../api/media.ts';", 'no layer of layer-rules.ts contains shared/other/a.ts'],
  ])('reject %s: %s', async (file, text, message) => {
    const found = await violations(file, text);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(message);
  });
});

describe('the dependency rules of the folders of the service', () => {
  it('accept a tree in which each folder imports only what it may', async () => {
    await tree({
      'service/main.ts': "import './app/create-app.ts';",
      'service/app/create-app.ts': "import '../resources/media/media-routes.ts';\nimport '../wire/problem.ts';",
      'service/resources/media/media-routes.ts': "import './media-row.ts';",
      'service/resources/media/media-row.ts': "import '../../wire/query.ts';",
      'service/wire/query.ts': "import './problem.ts';",
      'service/wire/problem.ts': '',
    });
    expect((await checkLayers(root)).violations).toEqual([]);
  });

  it.each([
    ['service/wire/a.ts', '../site/site.ts', 'service/wire may not import service/site/site.ts'],
    [
      'service/storage/a.ts',
      '../resources/files/file-row.ts',
      'service/storage may not import service/resources/files',
    ],
    [
      'service/database/a.ts',
      '../resources/listing.ts',
      'service/database may not import service/resources/listing.ts',
    ],
    ['service/site/a.ts', '../app/sweep.ts', 'service/site may not import service/app/sweep.ts'],
    ['service/resources/a.ts', './media/media-row.ts', 'service/resources may not import service/resources/media'],
    [
      'service/resources/media/a.ts',
      '../files/files.ts',
      'service/resources/media may not import service/resources/files/files.ts',
    ],
    ['service/uploads/a.ts', '../start-service.ts', 'service/uploads may not import service/start-service.ts'],
    ['service/new/a.ts', '../wire/query.ts', 'no folder of build/checks/folder-rules.ts contains service/new/a.ts'],
    [
      'service/resources/files/a.ts',
      '../media/media-routes.ts',
      'the routes in service/resources/media/media-routes.ts may be imported only in service/app',
    ],
  ])('reject an import in %s of %s', async (file, target, message) => {
    const found = await violations(file, `import '${target}';`);
    expect(found).toEqual([expect.stringContaining(message)]);
  });

  it('are violated by a permission that no file uses', async () => {
    const part = {
      part: 'service',
      folders: [
        { folder: 'service/wire', mayImport: [] },
        { folder: 'service/cdn', mayImport: ['service/wire'] },
      ],
    };
    const files = ['service/cdn/a.ts', 'service/wire/b.ts'];
    const arrow = { from: 'service/cdn/a.ts', to: 'service/wire/b.ts', line: 1 };
    expect(folderViolations({ files, arrows: [arrow] }, part)).toEqual([]);
    expect(folderViolations({ files, arrows: [] }, part)).toMatchObject([
      { message: 'service/cdn may import service/wire, but does not any more: remove the permission' },
    ]);
  });

  it('cannot permit a cycle of folders', () => {
    const part = {
      part: 'service',
      folders: [
        { folder: 'service/wire', mayImport: ['service/cdn'] },
        { folder: 'service/cdn', mayImport: ['service/wire'] },
      ],
    };
    expect(folderViolations({ files: [], arrows: [] }, part)).toMatchObject([
      { message: 'service/wire names service/cdn, which is not above it in the list' },
    ]);
  });
});

describe('direct access of the engine to the outside', () => {
  it.each([
    ["import { readFile } from 'node:fs/promises';", 'node:fs/promises'],
    ["import * as http from 'node:http';", 'node:http'],
    ["import { connect, isIP } from 'node:net';", 'node:net'],
    ["import { setTimeout as sleep } from 'node:timers/promises';", 'node:timers/promises'],
    ["import { createHash, randomBytes } from 'node:crypto';", 'node:crypto'],
    ["import * as crypto from 'node:crypto';", 'node:crypto'],
    ['const t = Date.now();', 'Date.now'],
    ['const t = globalThis.Date.now();', 'Date.now'],
    ['const t = new Date();', 'new Date()'],
    ['const t = Date();', 'Date'],
    ['const t = performance.now();', 'performance.now'],
    ['setTimeout(run, 5);', 'setTimeout'],
    ['globalThis.setTimeout(run, 5);', 'setTimeout'],
    ['setInterval(run, 5);', 'setInterval'],
    ['const s = AbortSignal.timeout(5);', 'AbortSignal.timeout'],
    ['const r = Math.random();', 'Math.random'],
    ['const r = crypto.randomUUID();', 'crypto.randomUUID'],
    ['const now = Date.now;', 'Date.now'],
    ['await fetch(url);', 'fetch'],
  ])('is rejected: %s', async (text, name) => {
    expect(await violations('electron/engine/uploads/a.ts', text)).toEqual([
      `the engine uses ${name} through a port, not directly`,
    ]);
  });

  it.each([
    "import type { IncomingMessage } from 'node:http';",
    "import { type IncomingMessage } from 'node:http';",
    "import { createHash, timingSafeEqual } from 'node:crypto';",
    "import { isIP } from 'node:net';",
    "import { setImmediate as nextTurn } from 'node:timers/promises';",
    'const at = new Date(clock.now()).toISOString();',
    'clock.setTimeout(run, 5);',
    "const text = 'Date.now() and fetch(x)'; // setTimeout(run)",
    'const t = /new Date()/.test(text);',
  ])('is not reported for %s', async (text) => {
    expect(await violations('electron/engine/uploads/a.ts', text)).toEqual([]);
  });

  it('is accepted in files with an exception, and an exception that is not needed is reported', async () => {
    const used = 'export const now = () => Date.now() + performance.now();\nsetTimeout(now, 1);';
    expect(await violations('electron/engine/ports/system/node-clock.ts', used)).toEqual([]);
    expect(
      await violations('electron/engine/ports/system/node-clock.ts', 'export const now = () => Date.now();'),
    ).toEqual([
      expect.stringContaining('excuses performance.now here'),
      expect.stringContaining('excuses setTimeout here'),
    ]);
  });

  it('is accepted in the shell', async () => {
    expect(await violations('electron/main/a.ts', "import 'node:fs';\nsetTimeout(run, Date.now());")).toEqual([]);
  });
});

describe('the layer check', () => {
  it('names the file and the line of a violation', async () => {
    await tree({ 'renderer/a.tsx': "// one\n\nimport { x } from 'got';\n" });
    expect((await checkLayers(root)).violations).toMatchObject([{ file: 'renderer/a.tsx', line: 3 }]);
  });

  it('fails with the name of a file that is not TypeScript', async () => {
    await tree({ 'renderer/a.ts': 'import { from' });
    await expect(checkLayers(root)).rejects.toThrow('renderer/a.ts');
  });
});

describe('the check of file lengths', () => {
  it('lists files above 300 lines and rejects files above 500', async () => {
    const lines = (count: number) => 'x;\n'.repeat(count);
    await tree({
      'build/a.ts': lines(300),
      'build/b.ts': lines(301),
      'renderer/c.css': lines(501),
      'docs/d.ts': lines(900),
    });
    expect(await checkSizes(root)).toEqual({
      files: 3,
      long: [
        { file: 'renderer/c.css', lines: 501, tooLong: true },
        { file: 'build/b.ts', lines: 301, tooLong: false },
      ],
    });
  });
});
