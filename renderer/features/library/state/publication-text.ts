import { formatDateTime } from '../../../kit/text/format.ts';
import { mediaLook } from '../../../kit/text/states.ts';
import { texts } from './texts.ts';

/** Returns a sentence about the new publication state of an item. `publishOn`: ISO-8601 UTC. */
export function publicationWords(title: string, status: string, publishOn: string | null): string {
  const name = title === '' ? texts.item : texts.quoted(title);
  if (status === 'published') return texts.published(name);
  if (status === 'draft') return texts.draft(name);
  if (status === 'scheduled' && publishOn !== null) return texts.scheduled(name, formatDateTime(publishOn));
  return texts.otherStatus(name, mediaLook(status).word);
}
