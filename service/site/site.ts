import type { AccessRegister } from '../access/access.ts';
import { exactly } from '../database/condition.ts';
import type { Store } from '../database/store.ts';
import type { Languages } from '../languages/languages.ts';
import type { Passwords } from '../secrets/passwords.ts';
import type { Signer } from '../secrets/signer.ts';
import type { Arrivals } from '../storage/arrivals.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { FreeSpace } from '../storage/free-space.ts';
import type { Scratch } from '../storage/scratch.ts';
import type { Dialect } from '../wire/dialect.ts';
import { noSpace } from '../wire/problem.ts';
import type { Journal, JournalEffect } from './journal.ts';
import type { SettingsHolder } from './settings.ts';
import type { Traffic } from './traffic.ts';
import { IS_UPLOADING } from './underway.ts';

/** Everything that a request may need, wired once at the start. */
export interface Site {
  readonly baseUrl: string;
  /** Names this process among those that have the library: `service` when it is the only one. */
  readonly instance: string;
  /** Names this state of the library: it changes when the library is restored from a backup. */
  readonly epoch: string;
  readonly store: Store;
  readonly blobs: Blobs;
  readonly scratch: Scratch;
  readonly space: FreeSpace;
  readonly signer: Signer;
  readonly settings: SettingsHolder;
  readonly languages: Languages;
  readonly access: AccessRegister;
  readonly passwords: Passwords;
  readonly journal: Journal;
  /** Epoch ms, by the clock of the service. */
  readonly now: () => number;
  readonly dialect: () => Dialect;
  readonly log: Log;
  /** Called when a file has moved to `processing`. */
  readonly processing: { wake(): void };
  /** Callers call `wake` when a notification may be due. */
  readonly webhook: { wake(): void };
  readonly arrivals: Arrivals;
  readonly traffic: Traffic;
}

/** Returns the maximum time for receiving the JSON body of a request, according to the current settings. */
export function bodyTimeoutMs({ settings }: Pick<Site, 'settings'>): number {
  return settings.current().body_wait_s * 1000;
}

export type Log = (message: string, details?: Record<string, string | number | boolean | null>) => void;

/** The user that a request comes from, and the application that acts for the user. */
export interface Caller {
  userId: number;
  isAdmin: boolean;
  clientId: string;
  scope: string;
}

/** One request, with everything that the functions of the resources need. */
export interface Call {
  site: Site;
  caller: Caller;
  /** Epoch seconds, the same for the whole request. */
  nowOn: number;
  effect(effect: JournalEffect): void;
}

/** Deletes the bytes of rows that are deleted, when that is durable. */
export async function removeBlobs(
  { store, blobs }: Pick<Site, 'store' | 'blobs'>,
  names: readonly string[],
): Promise<void> {
  await store.afterCommit(async () => {
    for (const name of names) await blobs.remove(name);
  });
}

type SpaceSite = Pick<Site, 'store' | 'arrivals' | 'space' | 'traffic'>;

/** Throws 507 when the drive has no room for a new file of this size and for what all approved uploads have not sent yet. */
export async function checkSpace(site: SpaceSite, bytes: number): Promise<void> {
  if (!site.space.isKnown()) return;
  const missing = site.arrivals.missing();
  const row = await site.store.get<{ bytes: number }>(
    `SELECT ${exactly('coalesce(sum(declared_size), 0)')} AS bytes FROM files WHERE ${IS_UPLOADING}
     AND stored_name IS NULL AND id NOT IN (SELECT value FROM json_each(?))`,
    JSON.stringify([...missing.keys()]),
  );
  checkRoom(site, bytes + sumOf(missing) + (row?.bytes ?? 0));
}

/**
 * Throws 507 when the drive has no room for an upload that begins and for the rest of those in flight. Uploads that were only approved
 * don't count: when the drive becomes fuller than expected, some of them still fit.
 */
export function checkSpaceOfUpload(site: SpaceSite, bytes: number): void {
  checkRoom(site, bytes + sumOf(site.arrivals.missing()));
}

const sumOf = (missing: ReadonlyMap<number, number>) => [...missing.values()].reduce((sum, bytes) => sum + bytes, 0);

function checkRoom({ space, traffic }: SpaceSite, bytes: number): void {
  if (space.hasRoomFor(bytes)) return;
  traffic.refused('no-space');
  throw noSpace();
}
