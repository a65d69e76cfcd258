import type { Store } from '../../database/store.ts';

const MAX_SLUG = 100;

/** Converts a name for use in a URL: lower case, words joined by hyphens, letters of any script kept. */
export function slugify(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/ß/g, 'ss')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, MAX_SLUG)
    .replace(/^-|-$/g, '');
  return slug || 'collection';
}

/** Returns whether a slug from a caller has the form of a generated one. */
export function isSlug(text: string): boolean {
  return text.length <= MAX_SLUG && /^[\p{L}\p{N}]+(?:[-_][\p{L}\p{N}]+)*$/u.test(text);
}

/**
 * Returns the slug of a name, with the first free number appended if the slug is taken. `except` is the collection that may keep
 * its own slug.
 */
export async function freeSlug(store: Store, name: string, except = -1): Promise<string> {
  const base = slugify(name);
  for (let suffix = 1; ; suffix += 1) {
    const slug = suffix === 1 ? base : `${base}-${suffix}`;
    if (!(await slugTaken(store, slug, except))) return slug;
  }
}

export async function slugTaken(store: Store, slug: string, except = -1): Promise<boolean> {
  return (await store.get('SELECT 1 FROM collections WHERE slug = ? AND id <> ?', slug, except)) !== undefined;
}
