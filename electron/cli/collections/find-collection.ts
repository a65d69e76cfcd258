import { MAX_COLLECTION_NAME } from '../../../shared/api/collection-fields.ts';
import { AppError, appError } from '../../../shared/contract/app-error.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import type { Engine } from '../../engine/engine.ts';

type Found = CallOutput<'library.findCollections'>[number];

interface NamedCollection {
  id: string;
  name: string;
  isPodcast: boolean;
}

const MOST_MATCHES = 100;
const NAMED_MATCHES = 10;

/**
 * Returns the collection that `ref` names: by its id, otherwise by its slug, otherwise by its path (names with `/` between them),
 * otherwise by its name. Throws `api.not-found`, or `input.invalid` with the ids when several match.
 */
export async function findCollection(engine: Engine, siteId: string, ref: string): Promise<NamedCollection> {
  const lastName = ref.split('/').at(-1)?.trim() ?? '';
  const found: Found[] = [];
  for (const text of new Set([ref.trim(), lastName])) {
    if (text !== '' && text.length <= MAX_COLLECTION_NAME) {
      found.push(...(await engine.call('library.findCollections', { siteId, text, limit: MOST_MATCHES })));
    }
  }
  const known = [...new Map(found.map((each) => [each.collection.id, each])).values()];
  const [match, another] = matchesOf(known, ref);
  if (match === undefined) return byId(engine, siteId, ref);
  if (another !== undefined) throw severalMatch(known, ref);
  const { id, displayName, isPodcast } = match.collection;
  return { id, name: displayName, isPodcast };
}

/** Returns the collections that `ref` names, by the first kind of name that has a match. */
function matchesOf(known: readonly Found[], ref: string): Found[] {
  const wanted = normalized(ref);
  const path = ref.split('/').map(normalized).join('/');
  const kinds: ((each: Found) => boolean)[] = [
    ({ collection }) => collection.id === ref,
    ({ collection }) => collection.slug === ref,
    // The top collection may be omitted, because there is only one.
    (each) => [each.path, each.path.slice(1)].some((names) => names.map(normalized).join('/') === path),
    ({ collection }) => normalized(collection.displayName) === wanted,
  ];
  for (const isMatch of kinds) {
    const matches = known.filter(isMatch);
    if (matches.length > 0) return matches;
  }
  return [];
}

const normalized = (name: string) => name.normalize('NFC').trim();

/** Reads a collection by its id: it can be readable without being in the tree that the account sees. Throws `api.not-found`. */
async function byId(engine: Engine, siteId: string, ref: string): Promise<NamedCollection> {
  try {
    if (!/^[\w-]{1,100}$/.test(ref)) throw appError('api.not-found');
    const { collection } = await engine.call('library.collectionDetail', { siteId, collectionId: ref });
    return { id: collection.id, name: collection.display_name, isPodcast: collection.is_podcast === true };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'api.not-found') throw error;
    throw appError('api.not-found', {
      message: `The library has no collection “${ref}”, or your account has no access to it.`,
      details: { collection: ref },
    });
  }
}

function severalMatch(known: readonly Found[], ref: string): AppError {
  const matches = matchesOf(known, ref);
  const ids = matches.slice(0, NAMED_MATCHES).map(({ collection, path }) => `${collection.id}: ${path.join(' / ')}`);
  return appError('input.invalid', {
    message: `“${ref}” matches ${matches.length} collections. Use the ID of one of them.`,
    details: { collection: ref, errors: ids },
  });
}
