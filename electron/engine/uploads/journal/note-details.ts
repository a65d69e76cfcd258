import { type CompanionFile, companionFollowUp } from '../../../../shared/model/uploads/follow-ups.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import type { UploadJournal } from './upload-journal.ts';

/**
 * Notes a file whose values an upload or its item has got, so that it is moved with the recording. `before`: the upload, as it is
 * stored now.
 */
export function noteDetails(before: Upload, file: CompanionFile, journal: Pick<UploadJournal, 'recordMany'>): void {
  const followUp = companionFollowUp(file);
  const index = before.followUps.findIndex(({ kind, path }) => kind === 'details' && path === file.path);
  const { fingerprint } = followUp;
  if (index < 0) journal.recordMany([{ before, event: { kind: 'follow-up-added', followUp } }]);
  else if (before.followUps[index]?.fingerprint !== fingerprint) {
    const facts = { fingerprint, known: file.known };
    journal.recordMany([{ before, event: { kind: 'follow-up-noted', index, facts } }]);
  }
}
