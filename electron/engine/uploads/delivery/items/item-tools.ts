import type { SiteClient } from '../../../api/http-client.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { UploadJournal } from '../../journal/upload-journal.ts';
import type { UploadStore } from '../../journal/upload-store.ts';
import type { UnansweredRequests } from './unanswered-requests.ts';

/** The dependencies of the search for an upload's item. */
export interface ItemTools {
  client: SiteClient;
  journal: UploadJournal;
  store: UploadStore;
  clock: Clock;
  signal: AbortSignal;
  unanswered: UnansweredRequests;
  /** Returns whether an edit of this computer created an item: no upload uses such an item. */
  isOfEdit(siteId: string, mediaId: string): boolean;
}
