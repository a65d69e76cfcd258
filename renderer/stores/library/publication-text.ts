import { formatDateTime } from '../../text/format.ts';
import { mediaLook } from '../../text/states.ts';

/** Returns a sentence about the new publication state of an item. `publishOn`: ISO-8601 UTC. */
export function publicationWords(title: string, status: string, publishOn: string | null): string {
  const name = title === '' ? 'The item' : `“${title}”`;
  if (status === 'published') return `${name} is published.`;
  if (status === 'draft') return `${name} is a draft again.`;
  if (status === 'scheduled' && publishOn !== null) return `${name} will be published ${formatDateTime(publishOn)}.`;
  return `${name}: ${mediaLook(status).word}.`;
}
