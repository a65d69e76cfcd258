import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exchangeName } from '../../../electron/engine/api/failpoint-transport.ts';
import { apiUrl } from '../../../electron/engine/api/links.ts';
import { createMemoryKeychain } from '../../../electron/engine/ports/system/keychain-memory.ts';
import { createFileMover } from '../../../electron/engine/ports/system/node-file-mover.ts';
import { writeName } from '../../../electron/engine/store/failpoint-database.ts';
import { FAILPOINT_PLANS } from '../../torture/engine/failpoint-plans.ts';

const ENGINE = join(import.meta.dirname, '../../../electron/engine');
const sources = readdirSync(ENGINE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name: name.replaceAll('\\', '/'), text: readFileSync(join(ENGINE, name), 'utf8') }));

/** Returns whether code of the engine outside of `api/` uses this export of `api/`. */
function isUsed(functionName: string): boolean {
  const word = new RegExp(`\\b${functionName}\\b`);
  return sources.some(({ name, text }) => !name.startsWith('api/') && word.test(text));
}

type ApiFunction = (...parameters: unknown[]) => unknown;

/** Functions whose first argument after the client is a kind of resource, with the kinds to call them with. */
const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  createThumb: ['media', 'collections'],
  listThumbs: ['media', 'collections'],
};

/** Calls a function of the API and returns the requests that it starts, by their failpoint. */
async function requestsOf(call: ApiFunction, subject: string): Promise<string[]> {
  const begun: string[] = [];
  const note = (method: 'GET' | 'POST', target: string | URL) => {
    const name = exchangeName({ method, url: typeof target === 'string' ? apiUrl('http://site', target) : target });
    if (name !== null) begun.push(name);
    throw new Begun();
  };
  const client = {
    baseUrl: 'http://site',
    request: async ({ method, target }: { method: 'POST'; target: string }) => note(method, target),
    get: async (target: string) => note('GET', target),
    read: async (_schema: unknown, target: string) => note('GET', target),
    resolve: () => new URL('http://site/postprocess/x'),
    transport: { exchange: async ({ method, url }: { method: 'POST'; url: URL }) => note(method, url) },
    clientId: 'client',
    userAgent: 'test',
  };
  let result: unknown;
  try {
    result = call(client, subject, 'id', {});
  } catch {
    // A function that sends a request returns a promise, also on failure; this function only computes.
    return begun;
  }
  try {
    if (result !== null && typeof result === 'object' && Symbol.asyncIterator in result) return begun;
    await result;
  } catch (error) {
    if (!(error instanceof Begun)) throw error;
  }
  return begun;
}

/**
 * Parts of the API for administrators. Their writes need no failpoint: each is made at once or not at all, nothing that is stored waits
 * for it, and the log of changes is written after it.
 */
const ADMINISTRATION = ['groups', 'memberships', 'roles', 'tags', 'users'];

class Begun extends Error {}

// Events of uploads need no test here: the type of the table of their failpoints requires an entry for each event.
describe('a failpoint of the kill campaign covers', () => {
  it('each statement that writes to the database', () => {
    const statements = sources
      .filter(({ name }) => !/^store\/(queue-)?migrations\.ts$/.test(name))
      .flatMap(
        ({ text }) =>
          text.match(/(?<!DO )\b(?:INSERT(?: OR \w+)? INTO|REPLACE INTO|UPDATE|DELETE FROM) [a-z_]+/g) ?? [],
      )
      .map((sql) => writeName(sql));
    expect(statements.length).toBeGreaterThan(5);
    // `DELETE FROM sites` needs no failpoint: the engine has no command that deletes a site. Without its row, the part of a
    // download is not continued, and the files of an item are not shown offline; nothing else depends on these rows.
    // Administrative commands are killed at random moments by a test of their own.
    const isSafe = (name: string | null) =>
      name === 'store.delete.sites' || /\.(?:download_parts|media_files|admin_jobs|admin_job_steps)$/.test(name ?? '');
    const missing = new Set(statements.filter((name) => !isSafe(name) && !FAILPOINT_PLANS.has(name ?? '')));
    expect([...missing]).toEqual([]);
  });

  it('each API function that writes and is used', async () => {
    const names = ['collections', 'completion', 'files', 'media', 'oauth', 'podcasts', 'thumbs'];
    const modules = await Promise.all(
      names.map((name): Promise<Record<string, unknown>> => import(join(ENGINE, `api/${name}.ts`))),
    );
    const files = sources.filter(({ name }) => /^api\/[a-z-]+\.ts$/.test(name) && sourceWrites(name));
    expect(files.map(({ name }) => name.slice(4, -3)).sort()).toEqual([...names, ...ADMINISTRATION].sort());
    const writes: string[] = [];
    for (const module of modules) {
      for (const [name, value] of Object.entries(module)) {
        if (typeof value !== 'function' || !isUsed(name)) continue;
        for (const subject of SUBJECTS[name] ?? ['id']) {
          for (const request of await requestsOf(value as ApiFunction, subject)) {
            writes.push(request);
            expect(FAILPOINT_PLANS.has(request), `${name} begins ${request}`).toBe(true);
          }
        }
      }
    }
    expect(writes.length).toBeGreaterThan(8);
  });

  it('each change of the keychain', () => {
    const changes = Object.keys(createMemoryKeychain()).filter((name) => name !== 'kind' && name !== 'get');
    expect(changes.filter((name) => !FAILPOINT_PLANS.has(`keychain.${name}`))).toEqual([]);
  });

  it('each change of the user’s files', () => {
    const changes = Object.keys(createFileMover(null)).filter((name) => name !== 'hash' && name !== 'within');
    expect(changes.filter((name) => !FAILPOINT_PLANS.has(`file.${name}`))).toEqual([]);
  });

  it('each other change of a file', () => {
    const writing = /\b(?:write|writeFile|append|appendFile|rename|unlink|rm|copyFile|truncate)(?:Sync)?\(/;
    const isWriting = (text: string) =>
      /rename-file\.ts'/.test(text) || (/from 'node:fs(?:\/promises)?'/.test(text) && writing.test(text));
    const files = sources.filter(({ name, text }) => name !== 'ports/system/rename-file.ts' && isWriting(text));
    // The user's files change only inside the failpoints of the file mover. The keychain file changes only inside
    // `keychain.set` and `keychain.delete`. The marker file and renamed queues have their own failpoints. The lock file
    // that `open-queue-store.ts` truncates contains no data. The removal of a mirror has a failpoint. A
    // cache can be removed at any time. An interrupted download leaves its part file, and continues from its length. A
    // file of the outbox without an upload is removed at the next start. An export replaces a file by renaming. A copy of the
    // queue for reading, and the file that measures the free space, are temporary. In a log of lines, a line that is cut is
    // skipped, and the next one begins behind it.
    expect(files.map(({ name }) => name).sort()).toEqual([
      'mirror/mirror-file.ts',
      'ports/system/disk-space.ts',
      'ports/system/keychain-file.ts',
      'ports/system/node-cache-folder.ts',
      'ports/system/node-file-mover.ts',
      'ports/system/node-line-files.ts',
      'ports/system/node-outbox.ts',
      'ports/system/node-part-files.ts',
      'ports/system/node-save-file.ts',
      'ports/system/trash-freedesktop.ts',
      'store/copy-queue-store.ts',
      'store/open-queue-store.ts',
      'store/row-mark.ts',
      'store/set-aside.ts',
    ]);
  });
});

/** Returns whether a file of the API sends requests other than reads. */
function sourceWrites(name: string): boolean {
  const text = sources.find((source) => source.name === name)?.text ?? '';
  return /method: '(?!GET)[A-Z]+'|, 'POST',/.test(text) && !name.endsWith('transport.ts');
}
