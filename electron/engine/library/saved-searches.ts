import { appError } from '../../../shared/contract/app-error.ts';
import type { CallName, CallOutput, HandledInput } from '../../../shared/contract/contract.ts';
import type { MediaQuery } from '../../../shared/contract/library.ts';
import {
  type ListedSearch,
  MAX_SAVED_SEARCHES,
  type SavedSearch,
  type SearchPreset,
  savedSearchSchema,
} from '../../../shared/contract/searches.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import type { Accounts } from '../account/accounts.ts';
import type { Mirrors } from '../mirror/mirrors.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import { type SettingTexts, StoredSettings } from '../store/stored-settings.ts';

const PRESETS: readonly { preset: SearchPreset; search: string }[] = [
  { preset: 'drafts', search: 'status:draft' },
  // Only videos can have captions.
  { preset: 'captions-missing', search: 'type:video no:captions' },
];

type SearchCallName = Extract<CallName, `searches.${string}`>;

export interface SavedSearches {
  handlers: { [N in SearchCallName]: (input: HandledInput<N>) => Promise<CallOutput<N>> };
  /** Removes the searches of signed-out accounts, including searches that remained after a crash. */
  forgetOthers(sites: readonly Site[]): void;
}

/** The saved searches of all accounts: one stored value, which contains them by account and in their order. */
export function createSavedSearches(options: {
  texts: SettingTexts;
  accounts: Pick<Accounts, 'clientFor'>;
  mirrors: Pick<Mirrors, 'count' | 'captionsUnknown' | 'changedSince' | 'latestChange'>;
  random: Pick<Random, 'uuid'>;
  logger: Logger;
}): SavedSearches {
  const { accounts, mirrors, random } = options;
  const settings = new StoredSettings(options.texts, options.logger);

  function read(siteId: string): SavedSearch[] {
    accounts.clientFor(siteId);
    return settings.list(nameFor(siteId), savedSearchSchema) ?? presets();
  }

  function write(siteId: string, searches: readonly SavedSearch[]): ListedSearch[] {
    settings.setList(nameFor(siteId), savedSearchSchema, searches);
    return counted(siteId, searches);
  }

  function counted(siteId: string, searches: readonly SavedSearch[]): ListedSearch[] {
    return searches.map((saved) => {
      const { search, collectionId, includesBelow, seenUntil } = saved;
      const query: MediaQuery = {
        siteId,
        search,
        collectionId,
        includesBelow,
        type: null,
        status: null,
        sort: 'created_on',
        order: 'desc',
      };
      return {
        ...saved,
        count: mirrors.count(query),
        captionsUnknown: mirrors.captionsUnknown(query),
        changed: seenUntil == null ? 0 : mirrors.changedSince(query, seenUntil),
      };
    });
  }

  return {
    handlers: {
      'searches.list': async ({ siteId }) => counted(siteId, read(siteId)),

      async 'searches.add'({ siteId, ...search }) {
        const searches = read(siteId);
        if (searches.length >= MAX_SAVED_SEARCHES) {
          throw appError('library.too-many-searches', { details: { most: MAX_SAVED_SEARCHES } });
        }
        return write(siteId, [...searches, { ...search, id: random.uuid(), preset: null }]);
      },

      async 'searches.markSeen'({ siteId, id }) {
        const searches = read(siteId);
        const seenUntil = mirrors.latestChange(siteId);
        const isNew = searches.some((each) => each.id === id && (each.seenUntil ?? null) !== seenUntil);
        if (!isNew || seenUntil === null) return counted(siteId, searches);
        return write(
          siteId,
          searches.map((each) => (each.id === id ? { ...each, seenUntil } : each)),
        );
      },

      'searches.rename': async ({ siteId, id, name }) =>
        write(
          siteId,
          read(siteId).map((each) => (each.id === id ? { ...each, name } : each)),
        ),

      'searches.remove': async ({ siteId, id }) =>
        write(
          siteId,
          read(siteId).filter((each) => each.id !== id),
        ),

      async 'searches.move'({ siteId, id, to }) {
        const searches = read(siteId);
        const moved = searches.find((each) => each.id === id);
        const others = searches.filter((each) => each !== moved);
        return write(siteId, moved === undefined ? searches : others.toSpliced(to, 0, moved));
      },
    },

    forgetOthers(sites) {
      for (const { id, state } of sites) {
        if (state === 'signed-out') settings.remove(nameFor(id));
      }
    },
  };
}

function nameFor(siteId: string): string {
  return `searches/${siteId}`;
}

/** The presets. Their ids are their names: they are stored only after the first change. */
function presets(): SavedSearch[] {
  return PRESETS.map(({ preset, search }) => ({
    id: preset,
    preset,
    name: '',
    search,
    collectionId: null,
    includesBelow: false,
  }));
}
