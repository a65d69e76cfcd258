// The seeded users of the real service, who sign in to an engine each, or to one after the other, and the owners of items.
import { onTestFinished } from 'vitest';
import type { Engine } from '../../../electron/engine/engine.ts';
import type { BrowserOpener } from '../../../electron/engine/ports/browser-opener.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import { effectsOf } from '../service/journal.ts';
import type { ServiceProcess } from '../service/service-process.ts';
import { createTestProfile, signInEngine, signingInAs } from './engine-host.ts';

export type SeededPerson = 'admin' | 'editor' | 'producer' | 'viewer';

/** Opens an engine on a new profile, signed in as one of the seeded users. Both are disposed after the test. */
export async function openEngineAs(
  service: ServiceProcess,
  who: SeededPerson,
): Promise<{ engine: Engine; siteId: string }> {
  const { close, ...opened } = await openSharedEngineAs(service, who);
  onTestFinished(close);
  return opened;
}

/** The same for the tests of a whole file, which call `close` at its end. */
export async function openSharedEngineAs(
  service: ServiceProcess,
  who: SeededPerson,
): Promise<{ engine: Engine; siteId: string; profileDir: string; close(): Promise<void> }> {
  const profile = createTestProfile({ admin: { ...service.admin, email_address: `${who}@library.example` } });
  const engine = await profile.open();
  const close = async () => {
    await engine.stop();
    profile.remove();
  };
  return { engine, siteId: await signInEngine(engine, service), profileDir: profile.dir, close };
}

/** A browser used by the user who was requested last. */
export class SharedBrowser implements BrowserOpener {
  #current: BrowserOpener = signingInAs({ admin: { email_address: '', password: '' } });

  open(...args: Parameters<BrowserOpener['open']>): ReturnType<BrowserOpener['open']> {
    return this.#current.open(...args);
  }

  /** Signs a user in and returns the account. */
  async signIn(engine: Engine, service: ServiceProcess, who: SeededPerson): Promise<Site> {
    const { baseUrl, clientId, admin } = service;
    this.#current = signingInAs({ admin: { ...admin, email_address: `${who}@library.example` } });
    return engine.call('sites.signIn', { baseUrl, clientId, browser: 'embedded' });
  }
}

/**
 * Returns the id of the user who created an item, by the service's journal; null when the service created no such item.
 */
export async function makerOf(service: ServiceProcess, mediaId: string | null): Promise<string | null> {
  const made = (await effectsOf(service, 'media-created')).find(({ media_id }) => String(media_id) === mediaId);
  return made === undefined ? null : String(made.user_id);
}
