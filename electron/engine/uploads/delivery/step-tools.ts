import type { SiteClient } from '../../api/http-client.ts';
import type { Clock } from '../../ports/clock.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import type { UploadStore } from '../journal/upload-store.ts';
import type { Completions } from './completions.ts';
import type { Creations } from './items/creations.ts';

/** What the effects of a step work with. */
export interface StepTools {
  client: SiteClient;
  journal: UploadJournal;
  store: UploadStore;
  clock: Clock;
  signal: AbortSignal;
  creations: Creations;
  completions: Completions;
  /** Whether the last transfer to a media file surely did not go out to its end: then nothing can have arrived. */
  wasCutShort(fileId: string): boolean;
}
