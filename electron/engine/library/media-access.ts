import type { MediaItem } from '../../../shared/api/media.ts';
import { AppError } from '../../../shared/contract/app-error.ts';
import type { CallInput, CallOutput } from '../../../shared/contract/contract.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import { isInformative, mediaRight, ownUntil } from '../../../shared/model/media-rights.ts';
import type { SiteClient } from '../api/http-client.ts';
import { getEmbedCode } from '../api/media.ts';
import { permissionsIn } from '../api/memberships.ts';
import { errorOfRight } from '../api/refused-right.ts';
import type { Clock } from '../ports/clock.ts';

/** Permissions change rarely. A refused write reads them again. */
const FRESH_MS = 60_000;

export interface AccessHandlers {
  'library.rights': (input: CallInput<'library.rights'>) => Promise<CallOutput<'library.rights'>>;
  'library.embedCode': (input: CallInput<'library.embedCode'>) => Promise<CallOutput<'library.embedCode'>>;
}

/** The calls about what the account can do with an item, and where others can see it. */
export function createMediaAccess(options: {
  accounts: { clientFor(siteId: string): SiteClient; list(): Site[] };
  clock: Clock;
  /** Returns an item as it was read last. */
  itemOf(siteId: string, mediaId: string): Promise<MediaItem>;
}): { handlers: AccessHandlers; forget(siteId: string): void } {
  const { accounts, clock } = options;
  const known = new Map<string, { at: number; permissions: Promise<Set<string>> }>();

  function permissionsOf(siteId: string, userId: string, collectionId: string): Promise<Set<string>> {
    const key = `${siteId} ${collectionId}`;
    const fresh = known.get(key);
    if (fresh !== undefined && clock.now() - fresh.at < FRESH_MS) return fresh.permissions;
    const permissions = permissionsIn(accounts.clientFor(siteId), { userId, collectionId });
    const entry = { at: clock.now(), permissions };
    known.set(key, entry);
    // The callers get the error. A later answer of the same collection stays.
    permissions.catch(() => {
      if (known.get(key) === entry) known.delete(key);
    });
    return permissions;
  }

  return {
    handlers: {
      async 'library.rights'({ siteId, mediaId }) {
        const nothingKnown = { edit: null, publish: null, delete: null, ownUntil: null };
        const userId = accounts.list().find(({ id }) => id === siteId)?.userId ?? null;
        if (userId === null) return nothingKnown;
        try {
          const item = await options.itemOf(siteId, mediaId);
          const permissions = await permissionsOf(siteId, userId, item.collection_id);
          if (!isInformative(permissions)) return nothingKnown;
          const nowMs = accounts.clientFor(siteId).serverClock.now() ?? clock.now();
          const errorOf = (action: 'edit' | 'publish' | 'delete') =>
            errorOfRight(action, item, permissions, nowMs)?.toData() ?? null;
          const isOwnOnly = mediaRight('edit', item, permissions, nowMs) === 'if-own';
          return {
            edit: errorOf('edit'),
            publish: errorOf('publish'),
            delete: errorOf('delete'),
            ownUntil: isOwnOnly ? ownUntil(item, nowMs) : null,
          };
        } catch (error) {
          // Offline, or an account that may not read its permissions: the library decides when something is sent.
          if (error instanceof AppError) return nothingKnown;
          throw error;
        }
      },
      'library.embedCode': ({ siteId, mediaId, width, height }) =>
        getEmbedCode(accounts.clientFor(siteId), mediaId, { width, height }),
    },
    forget(siteId) {
      for (const key of known.keys()) if (key.startsWith(`${siteId} `)) known.delete(key);
    },
  };
}
