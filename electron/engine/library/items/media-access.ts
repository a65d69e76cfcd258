import type { MediaItem } from '../../../../shared/api/media.ts';
import { AppError, type AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { EditSelection } from '../../../../shared/contract/edits.ts';
import type { ItemPlace, MediaRights } from '../../../../shared/contract/library.ts';
import type { Site } from '../../../../shared/contract/sites.ts';
import { isLocalId } from '../../../../shared/model/edits/collection-ops.ts';
import {
  addPlace,
  isInformative,
  type MediaAction,
  mediaRight,
  ownUntil,
} from '../../../../shared/model/media-rights.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { embedUrlOf, getEmbedCode, getEmbedTemplate } from '../../api/media.ts';
import { permissionsIn } from '../../api/memberships.ts';
import { errorOfAdding, errorOfRight } from '../../api/refused-right.ts';
import type { Handlers } from '../../common/handlers.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ShownPlayer } from '../../ports/player-windows.ts';

/** How long permissions are used again, because they change rarely. After a refused edit the caller requests new ones. */
const FRESH_MS = 60_000;
/** Collections whose permissions are requested at the same time. */
const PLACES_AT_ONCE = 20;

export type AccessHandlers = Pick<
  Handlers,
  | 'library.rights'
  | 'library.rightsOf'
  | 'library.rightToAdd'
  | 'library.embedCode'
  | 'library.embedCodes'
  | 'library.previewPlayer'
>;

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
  /** The items of a selection. */
  itemsOf(selection: EditSelection): AsyncIterable<MediaItem>;
  /** Shows a player in a window, if this host has windows. */
  showPlayer(player: ShownPlayer): Promise<void>;
}): { handlers: AccessHandlers; forget(siteId: string): void } {
  const { accounts, clock } = options;
  const permissionsBy = new Map<string, { at: number; permissions: Promise<Set<string>> }>();

  function permissionsOf(
    { siteId, userId }: { siteId: string; userId: string },
    collectionId: string,
    isFresh = false,
  ): Promise<Set<string>> {
    const key = `${siteId} ${collectionId}`;
    const before = permissionsBy.get(key);
    if (!isFresh && before !== undefined && clock.now() - before.at < FRESH_MS) return before.permissions;
    const entry = { at: clock.now(), permissions: permissionsIn(accounts.clientFor(siteId), { userId, collectionId }) };
    permissionsBy.set(key, entry);
    // The caller reports the error; the next call reads again.
    entry.permissions.catch(() => {
      if (permissionsBy.get(key) === entry) permissionsBy.delete(key);
    });
    return entry.permissions;
  }

  /** Returns `unknown` when the permissions can't be read: the library decides when something is sent. */
  async function known<T>(
    siteId: string,
    unknown: T,
    read: (account: { siteId: string; userId: string }, nowMs: number) => Promise<T>,
  ): Promise<T> {
    const userId = accounts.list().find(({ id }) => id === siteId)?.userId ?? null;
    if (userId === null) return unknown;
    const client = accounts.clientFor(siteId);
    try {
      return await read({ siteId, userId }, client.serverClock.now() ?? clock.now());
    } catch (error) {
      // The library can't be reached, or the account may not read its permissions.
      if (!(error instanceof AppError)) throw error;
      client.logger.info('library.rights-unknown', { code: error.code });
      return unknown;
    }
  }

  /** Reads the collections of a selection; of each, the item that the account can most likely edit. */
  async function placesIn(selection: EditSelection): Promise<ItemPlace[]> {
    const best = new Map<string, ItemPlace>();
    for await (const { collection_id: collectionId, created_on: createdOn, status } of options.itemsOf(selection)) {
      addPlace(best, { collectionId, createdOn, status });
    }
    return [...best.values()];
  }

  /** Returns for each action why the account may do it in none of these places. Stops reading when all of them are allowed. */
  async function rightsToAny(
    places: readonly ItemPlace[],
    account: { siteId: string; userId: string },
    nowMs: number,
  ): Promise<MediaRights> {
    const refusals: Record<MediaAction, AppErrorData | null>[] = [];
    const ofAll = (action: MediaAction) =>
      refusals.every((errors) => errors[action] !== null) ? (refusals[0]?.[action] ?? null) : null;
    for (let from = 0; from < places.length; from += PLACES_AT_ONCE) {
      const read = places.slice(from, from + PLACES_AT_ONCE).map(async ({ collectionId, createdOn, status }) => {
        // An item of an unknown age may be a new one.
        const item = { created_on: createdOn ?? new Date(nowMs).toISOString(), status };
        return errorsOf(item, await permissionsOf(account, collectionId), nowMs);
      });
      refusals.push(...(await Promise.all(read)));
      if (ofAll('edit') === null && ofAll('publish') === null && ofAll('delete') === null) break;
    }
    return { edit: ofAll('edit'), publish: ofAll('publish'), delete: ofAll('delete'), ownUntil: null };
  }

  return {
    handlers: {
      'library.rights': ({ siteId, mediaId, isFresh }) =>
        known(siteId, NOTHING_KNOWN, async (account, nowMs) => {
          const item = await options.itemOf(siteId, mediaId);
          const permissions = await permissionsOf(account, item.collection_id, isFresh);
          const isOwnOnly = isInformative(permissions) && mediaRight('edit', item, permissions, nowMs) === 'if-own';
          return { ...errorsOf(item, permissions, nowMs), ownUntil: isOwnOnly ? ownUntil(item, nowMs) : null };
        }),
      'library.rightsOf': (input) => {
        const siteId = 'selection' in input ? input.selection.siteId : input.siteId;
        return known(siteId, NOTHING_KNOWN, async (account, nowMs) =>
          rightsToAny('selection' in input ? await placesIn(input.selection) : input.items, account, nowMs),
        );
      },
      'library.rightToAdd': ({ siteId, collectionId }) =>
        isLocalId(collectionId)
          ? Promise.resolve(null)
          : known(siteId, null, async (account) => {
              return errorOfAdding(await permissionsOf(account, collectionId))?.toData() ?? null;
            }),
      'library.embedCode': ({ siteId, mediaId, width, height }) =>
        getEmbedCode(accounts.clientFor(siteId), mediaId, { width, height }),
      async 'library.previewPlayer'({ siteId, mediaId, ...shown }) {
        const client = accounts.clientFor(siteId);
        const { width, height } = shown;
        const { url } = await getEmbedCode(client, mediaId, { width, height });
        const address = url === '' ? embedUrlOf(client, mediaId) : new URL(url, client.baseUrl).href;
        await options.showPlayer({ ...shown, url: address });
        return null;
      },
      async 'library.embedCodes'({ siteId, mediaIds, width, height }) {
        const client = accounts.clientFor(siteId);
        const template = await getEmbedTemplate(client);
        const codeOf = (id: string) => {
          const values: Record<string, string> = {
            URL: embedUrlOf(client, id),
            WIDTH: `${width}`,
            HEIGHT: `${height}`,
          };
          return template.replace(/URL|WIDTH|HEIGHT/g, (name) => values[name] ?? name);
        };
        return { codes: mediaIds.map(codeOf) };
      },
    },
    forget(siteId) {
      for (const key of permissionsBy.keys()) if (key.startsWith(`${siteId} `)) permissionsBy.delete(key);
    },
  };
}
