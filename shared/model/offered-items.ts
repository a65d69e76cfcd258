/** An item of the library that may be the one of an upload. `createdOn`: UTC, ISO-8601. */
export interface OfferedItem {
  id: string;
  title: string;
  createdOn: string | null;
}

/** `error.details` of `upload.may-exist`: the items that may be the upload's; none where the library does not list it. */
export interface MayExistDetails {
  items: OfferedItem[];
}

/**
 * Returns the candidate items of an upload that needs a choice, see `asksAboutItem`. Without a schema, because the page
 * uses it and its policy refuses the code that a schema compiles. Details of another shape offer nothing.
 */
export function offeredItems({ error }: { error: { details: Record<string, unknown> | null } | null }): OfferedItem[] {
  const items = error?.details?.items;
  return Array.isArray(items) && items.every(isOfferedItem) ? items : [];
}

function isOfferedItem(value: unknown): value is OfferedItem {
  const { id, title, createdOn } = Object(value) as Record<string, unknown>;
  return typeof id === 'string' && typeof title === 'string' && (createdOn === null || typeof createdOn === 'string');
}
