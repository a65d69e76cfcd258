import type { MediaItem } from '../../../../shared/api/media.ts';
import { AppError, type AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { CallInput, CallOutput } from '../../../../shared/contract/contract.ts';
import type { MediaRights } from '../../../../shared/contract/library.ts';
import type { Site } from '../../../../shared/contract/sites.ts';
import { isInformative, type MediaAction, mediaRight, ownUntil } from '../../../../shared/model/media-rights.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { getEmbedCode } from '../../api/media.ts';
import { permissionsIn } from '../../api/memberships.ts';
import { errorOfRight } from '../../api/refused-right.ts';
import type { Clock } from '../../ports/clock.ts';

/** How long permissions are used again, because they change rarely. After a refused edit the caller requests new ones. */
const FRESH_MS = 60_000;

export interface AccessHandlers {
  'library.rights': (input: CallInput<'library.rights'>) => Promise<CallOutput<'library.rights'>>;
  'library.rightsOf': (input: CallInput<'library.rightsOf'>) => Promise<CallOutput<'library.rightsOf'>>;
  'library.embedCode': (input: CallInput<'library.embedCode'>) => Promise<CallOutput<'library.embedCode'>>;
}

const NOTHING_KNOWN: MediaRights = { edit: null, publish: null, delete: null, ownUntil: null };

/** Returns the reason why permissions don't allow each action; null for actions that they allow. */
function errorsOf(
  item: Pick<MediaItem, 'created_on' | 'status'>,
  permissions: ReadonlySet<string>,
  nowMs: number,
): Record<MediaAction, AppErrorData | null> {
  const errorOf = (action: MediaAction) => errorOfRight(action, item, permissions, nowMs)?.toData() ?? null;
  return { edit: errorOf('edit'), publish: errorOf('publish'), delete: errorOf('delete') };
}

/** The calls about the account's rights to an item, and about the item's pages on the web. */
export function createMediaAccess(options: {
  accounts: { clientFor(siteId: string): SiteClient; list(): Site[] };
  clock: Clock;
  /** Returns an item as it was read last. */
  itemOf(siteId: string, mediaId: string): Promise<MediaItem>;
}): { handlers: AccessHandlers; forget(siteId: string): void } {
  const { accounts, clock } = options;
  const known = new Map<string, { at: number; permissions: Promise<Set<string>> }>();

  function permissionsOf(
    { siteId, userId }: { siteId: string; userId: string },
    collectionId: string,
    isFresh = false,
  ): Promise<Set<string>> {
    const key = `${siteId} ${collectionId}`;
    const before = known.get(key);
    if (!isFresh && before !== undefined && clock.now() - before.at < FRESH_MS) return before.permissions;
    const entry = { at: clock.now(), permissions: permissionsIn(accounts.clientFor(siteId), { userId, collectionId }) };
    known.set(key, entry);
    // The caller reports the error; the next call reads again.
    entry.permissions.catch(() => {
      if (known.get(key) === entry) known.delete(key);
    });
    return entry.permissions;
  }

  /** Returns no restriction when the permissions can't be read: the library decides when something is sent. */
  async function rightsOf(
    siteId: string,
    read: (account: { siteId: string; userId: string }, nowMs: number) => Promise<MediaRights>,
  ): Promise<MediaRights> {
    const userId = accounts.list().find(({ id }) => id === siteId)?.userId ?? null;
    if (userId === null) return NOTHING_KNOWN;
    const client = accounts.clientFor(siteId);
    try {
      return await read({ siteId, userId }, client.serverClock.now() ?? clock.now());
    } catch (error) {
      // The library can't be reached, or the account may not read its permissions.
      if (!(error instanceof AppError)) throw error;
      client.logger.info('library.rights-unknown', { code: error.code });
      return NOTHING_KNOWN;
    }
  }

  return {
    handlers: {
      'library.rights': ({ siteId, mediaId, isFresh }) =>
        rightsOf(siteId, async (account, nowMs) => {
          const item = await options.itemOf(siteId, mediaId);
          const permissions = await permissionsOf(account, item.collection_id, isFresh);
          const isOwnOnly = isInformative(permissions) && mediaRight('edit', item, permissions, nowMs) === 'if-own';
          return { ...errorsOf(item, permissions, nowMs), ownUntil: isOwnOnly ? ownUntil(item, nowMs) : null };
        }),
      'library.rightsOf': ({ siteId, items }) =>
        rightsOf(siteId, async (account, nowMs) => {
          const all = await Promise.all(
            items.map(async ({ collectionId, createdOn, status }) => {
              // An item of an unknown age may be a new one.
              const item = { created_on: createdOn ?? new Date(nowMs).toISOString(), status };
              return errorsOf(item, await permissionsOf(account, collectionId), nowMs);
            }),
          );
          const ofAll = (action: MediaAction) =>
            all.every((errors) => errors[action] !== null) ? (all[0]?.[action] ?? null) : null;
          return { edit: ofAll('edit'), publish: ofAll('publish'), delete: ofAll('delete'), ownUntil: null };
        }),
      'library.embedCode': ({ siteId, mediaId, width, height }) =>
        getEmbedCode(accounts.clientFor(siteId), mediaId, { width, height }),
    },
    forget(siteId) {
      for (const key of known.keys()) if (key.startsWith(`${siteId} `)) known.delete(key);
    },
  };
}
