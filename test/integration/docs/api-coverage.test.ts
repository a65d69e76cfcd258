// The table of endpoints in docs/api-coverage.md, compared with the service, the client, the window and the command line.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../electron/cli/command-table.ts';
import { createApp } from '../../../service/app/create-app.ts';
import { openStore } from '../../../service/database/database.ts';
import { DEFAULT_SETTINGS } from '../../../service/site/settings.ts';
import type { Site } from '../../../service/site/site.ts';
import { CALLS } from '../../../shared/contract/contract.ts';

const ROOT = join(import.meta.dirname, '../../..');
const ENGINE = 'electron/engine';

/** The pages of the service's own sign-in, which a browser sends to each other. */
const PAGES = ['POST /api2/oauth/login', 'POST /api2/oauth/consent', 'POST /api2/oauth/sign-out'];

const rows = readFileSync(join(ROOT, 'docs/api-coverage.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| (GET|POST|DELETE) /.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, endpoint = '', client = '', window = '', command = '']) => ({ endpoint, client, window, command }));

function sourcesOf(folder: string): { name: string; text: string }[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({ name: name.replaceAll('\\', '/'), text: readFileSync(join(ROOT, folder, name), 'utf8') }));
}

const engine = sourcesOf(ENGINE);
const renderer = sourcesOf('renderer').map(({ text }) => text);
const commands: ReadonlySet<string> = new Set(COMMANDS.map(({ name }) => name));

let routes: string[];

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mediadesk-routes-'));
  const store = await openStore(join(folder, 'library.sqlite'));
  try {
    const site = { baseUrl: 'http://localhost', store, settings: { current: () => DEFAULT_SETTINGS } };
    const app = createApp(site as unknown as Site);
    const found = new Set<string>();
    app.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) if (each !== 'HEAD' && each !== 'OPTIONS') found.add(`${each} ${url}`);
    });
    await app.ready();
    await app.close();
    routes = [...found].filter((route) => route.includes('/api2/') && !PAGES.includes(route));
  } finally {
    store.close();
    rmSync(folder, { recursive: true });
  }
});

/** A cell that says why there is no place. */
const isReason = (cell: string) => /^none: \S.{10,}/.test(cell);

describe('the table of endpoints', () => {
  it('has each endpoint of the API that the service serves, once', () => {
    expect(rows.map(({ endpoint }) => endpoint).toSorted()).toEqual(routes.toSorted());
  });

  it.each(rows)('names the function that sends $endpoint: $client', ({ endpoint, client }) => {
    const declared = engine.find(({ text }) => new RegExp(`function ${client}\\b`).test(text));
    expect(declared, client).toBeDefined();
    // The last part of the path that is no placeholder is in the code that sends it.
    const part = endpoint.split('/').findLast((each) => !each.startsWith(':')) ?? '';
    const isPaths = declared?.name.startsWith('api/') === true;
    if (isPaths) expect(declared?.text, `${part} in ${declared?.name}`).toContain(part.replace(/^(add|remove)-/, '-'));
    const users = engine.filter(({ name }) => !name.startsWith('api/'));
    expect(users.some(({ text }) => new RegExp(`\\b${client}\\b`).test(text))).toBe(true);
  });

  it.each(rows)('names a call of the window that leads to $endpoint: $window', ({ window }) => {
    if (isReason(window)) return;
    expect(Object.keys(CALLS)).toContain(window);
    expect(renderer.some((text) => text.includes(`call('${window}'`))).toBe(true);
  });

  it.each(rows)('names a command that leads to $endpoint: $command', ({ command }) => {
    if (!isReason(command)) expect([...commands]).toContain(command);
  });
});
