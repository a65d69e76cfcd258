import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createSiteClient } from '../../../electron/engine/api/http-client.ts';
import type { MirrorStore } from '../../../electron/engine/mirror/mirror-store.ts';
import { StoredMirrors } from '../../../electron/engine/mirror/stored-mirrors.ts';
import { sweepFiles } from '../../../electron/engine/mirror/sync/files-sweep.ts';
import { type PassOptions, syncPass } from '../../../electron/engine/mirror/sync/sync-pass.ts';
import { SyncRows } from '../../../electron/engine/mirror/sync/sync-rows.ts';
import type { SyncTools } from '../../../electron/engine/mirror/sync/sync-tools.ts';
import { NO_FAILPOINTS } from '../../../electron/engine/ports/failpoints.ts';
import { nodeClock } from '../../../electron/engine/ports/system/node-clock.ts';
import type { MediaQuery } from '../../../shared/contract/library.ts';
import { ManualClock } from '../time/manual-clock.ts';
import { ModelLibrary } from '../wire/model-library.ts';
import { captureLogger } from './capture-logger.ts';
import { directConnections } from './direct-network.ts';

export const SITE = 'site-1';

/** The mirror of a model library, synced pass by pass. */
export class MirrorDesk {
  readonly library: ModelLibrary;
  readonly dir = mkdtempSync(join(tmpdir(), 'mediadesk-mirror-'));
  readonly log = captureLogger();
  readonly clock = new ManualClock();
  mirrors: StoredMirrors;
  /** Items of which the journal has open edits. */
  readonly edited = new Set<string>();

  private constructor(library: ModelLibrary) {
    this.library = library;
    this.mirrors = this.#open();
    onTestFinished(() => {
      this.mirrors.stop();
      rmSync(this.dir, { recursive: true, force: true });
    });
  }

  static async open(): Promise<MirrorDesk> {
    return new MirrorDesk(await ModelLibrary.start());
  }

  /** Closes the files and opens them again, as a restart does. */
  async restart(): Promise<void> {
    this.mirrors.stop();
    this.mirrors = this.#open();
    await this.mirrors.start([this.owner]);
  }

  get owner() {
    return { siteId: SITE, baseUrl: this.library.server.url, userId: '1' };
  }

  store(): Promise<MirrorStore> {
    return this.mirrors.openFor(this.owner);
  }

  pass(over: Partial<PassOptions> = {}, signal = new AbortController().signal) {
    return this.#withTools(signal, (tools) =>
      syncPass(tools, {
        passMs: 60_000,
        isAsked: true,
        removesHidden: false,
        onFirstSync: () => this.mirrors.setPhase(SITE, 'first-sync'),
        onReady: () => this.mirrors.setPhase(SITE, 'ready'),
        ...over,
      }),
    );
  }

  /** Reads a part of the files. Returns how many items changed. */
  readFiles(continues: () => boolean = () => true): Promise<number> {
    return this.#withTools(new AbortController().signal, (tools) => sweepFiles(tools, continues));
  }

  async #withTools<T>(signal: AbortSignal, work: (tools: SyncTools) => Promise<T>): Promise<T> {
    const store = await this.store();
    const client = createSiteClient({
      baseUrl: this.library.server.url,
      tokens: { accessToken: async () => 'token', renew: async () => 'token' },
      clock: nodeClock,
      logger: this.log,
      userAgent: 'test',
      connections: directConnections(),
    });
    const tools = {
      client,
      store,
      rows: new SyncRows(store.database),
      clock: this.clock,
      signal,
      hasOpenEdits: (id: string) => this.edited.has(id),
      onProgress: () => {},
      checkpoint: () => this.mirrors.checkpoint(SITE),
    };
    try {
      return await work(tools);
    } finally {
      client.close();
    }
  }

  /** Passes of a whole day, so that the rolling sweep has compared every item. */
  async sweepAll(): Promise<void> {
    this.clock.advance(25 * 60 * 60_000);
    const store = await this.store();
    do await this.pass();
    while (store.state('sweepCursor') !== null);
  }

  query(over: Partial<MediaQuery> = {}): MediaQuery {
    return {
      siteId: SITE,
      collectionId: null,
      search: '',
      type: null,
      status: null,
      sort: 'created_on',
      order: 'asc',
      ...over,
    };
  }

  /** Titles by id, as lists show them; null: the mirror is not ready. */
  listed(over: Partial<MediaQuery> = {}): Record<string, string> | null {
    const window = this.mirrors.window(this.query(over), 0, 100_000);
    return window === null ? null : Object.fromEntries(window.rows.map(({ id, title }) => [id, title]));
  }

  /** Titles by id, as the service has them. */
  expected(): Record<string, string> {
    const { items, unlisted } = this.library;
    return Object.fromEntries(
      [...items.values()].filter(({ id }) => !unlisted.has(id)).map(({ id, title }) => [id, title]),
    );
  }

  #open(): StoredMirrors {
    return new StoredMirrors({ profileDir: this.dir, logger: this.log, clock: nodeClock, failpoints: NO_FAILPOINTS });
  }
}
