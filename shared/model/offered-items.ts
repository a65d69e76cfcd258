/** An item of the library that may belong to an upload. `createdOn`: ISO-8601 UTC. */
export interface OfferedItem {
  id: string;
  title: string;
  createdOn: string | null;
}

/** `error.details` of `upload.may-exist`: the candidate items; empty when the library does not list any. */
export interface MayExistDetails {
  items: OfferedItem[];
}

/**
 * Returns the candidate items of an upload that needs a choice, see `asksAboutItem`. Returns none for details of
 * another shape. Parses without a schema, because this runs in the page, and schemas compile to code that the page's
 * content policy forbids.
 */
export function offeredItems({ error }: { error: { details: Record<string, unknown> | null } | null }): OfferedItem[] {
  const items = error?.details?.items;
  return Array.isArray(items) && items.every(isOfferedItem) ? items : [];
}

function isOfferedItem(value: unknown): value is OfferedItem {
  const { id, title, createdOn } = Object(value) as Record<string, unknown>;
  return typeof id === 'string' && typeof title === 'string' && (createdOn === null || typeof createdOn === 'string');
}
