import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '../../../electron/engine/create-engine.ts';
import type { Engine, EngineHost } from '../../../electron/engine/engine.ts';
import type { BrowserOpener } from '../../../electron/engine/ports/browser-opener.ts';
import { silentLogger } from '../../../electron/engine/ports/logger.ts';
import { createMemoryKeychain } from '../../../electron/engine/ports/system/keychain-memory.ts';
import { nodeClock } from '../../../electron/engine/ports/system/node-clock.ts';
import { nodeRandom } from '../../../electron/engine/ports/system/node-random.ts';
import type { UploadRow } from '../../../shared/contract/uploads.ts';
import { FormBrowser, type SignInTarget } from '../service/service-sign-in.ts';

/** A user at the sign-in page: types the address and password, and approves. */
export function signingInAs(target: Pick<SignInTarget, 'admin'>): BrowserOpener {
  return {
    async open(url) {
      const browser = new FormBrowser();
      let isClosed = false;
      const walk = async () => {
        let page = await browser.open(url);
        page = await browser.submit(page, 'email_address', { ...target.admin });
        page = await browser.submit(page, 'decision', { decision: 'approve' });
        await visit(page.response.headers.get('location') ?? '');
      };
      // When the engine closes the window, requests may still be open, and then fail.
      walk().catch((error: unknown) => {
        if (!isClosed) throw error;
      });
      return {
        close: () => {
          isClosed = true;
        },
      };
    },
  };
}

/** Not `fetch`: its headers would reveal that a script, not a browser window, opens the page. */
function visit(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, (response) => response.resume().on('close', resolve)).on('error', reject);
  });
}

export interface TestProfile {
  dir: string;
  /** Opens the engine on this profile, as the same user on the same computer: the keychain survives restarts. */
  open(changes?: Partial<EngineHost>): Promise<Engine>;
  remove(): void;
}

export function createTestProfile(target: Pick<SignInTarget, 'admin'>): TestProfile {
  const dir = mkdtempSync(join(tmpdir(), 'mediadesk-profile-'));
  const keychain = createMemoryKeychain();
  const opener = signingInAs(target);
  return {
    dir,
    open: (changes = {}) =>
      createEngine({
        profileDir: dir,
        version: '0.0.0-test',
        platform: process.platform,
        // A disk that rotates would get fewer transfers at a time.
        disks: { isRotating: () => null },
        clock: nodeClock,
        random: nodeRandom,
        keychain,
        logger: silentLogger,
        openers: { embedded: opener, system: opener },
        presets: { baseUrl: '', clientId: '' },
        ...changes,
      }),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** Signs in and returns the site's id. */
export async function signInEngine(engine: Engine, target: SignInTarget): Promise<string> {
  const { baseUrl, clientId } = target;
  const site = await engine.call('sites.signIn', { baseUrl, clientId, browser: 'embedded' });
  return site.id;
}

export async function allRows(engine: Engine): Promise<UploadRow[]> {
  const { rows } = await engine.call('uploads.list', { filter: 'all', batchId: null, offset: 0, limit: 500 });
  return rows;
}

/** Resolves with the first announced row that satisfies `wanted`. */
export function whenRow(engine: Engine, wanted: (row: UploadRow) => boolean): Promise<UploadRow> {
  return new Promise((resolve) => {
    const dispose = engine.on('onDidChangeUploads', ({ rows }) => {
      const row = rows.find(wanted);
      if (!row) return;
      dispose();
      resolve(row);
    });
  });
}

/** Creates a collection below the top of the library and returns its id. */
export async function makeCollection(engine: Engine, siteId: string, displayName: string): Promise<string> {
  const [top] = await engine.call('library.collections', { siteId, parentId: null });
  const parentId = top?.id ?? '';
  return (await engine.call('library.createCollection', { siteId, parentId, displayName, isPodcast: false })).id;
}

/** The common state of most queue tests. */
export interface TestDesk {
  profile: TestProfile;
  /** Signed in; its uploads are not started. */
  engine: Engine;
  siteId: string;
  /** A collection that no other test uses. */
  collectionId: string;
  /** A folder for local files; the test removes it. */
  dir: string;
}

/** Creates a new profile, signed in to `target`, with a collection and a folder whose names contain `name`. */
export async function openTestDesk(
  target: SignInTarget,
  name: string,
  changes: Partial<EngineHost> = {},
): Promise<TestDesk> {
  const dir = mkdtempSync(join(tmpdir(), `mediadesk-${name}-`));
  const profile = createTestProfile(target);
  const engine = await profile.open(changes);
  const siteId = await signInEngine(engine, target);
  const collectionId = await makeCollection(engine, siteId, `${name} ${profile.dir.slice(-6)}`);
  return { profile, engine, siteId, collectionId, dir };
}
