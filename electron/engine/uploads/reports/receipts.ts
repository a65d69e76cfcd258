import type { Receipt, ReceiptLine } from '../../../../shared/contract/uploads.ts';
import { isoOf } from '../../../../shared/model/iso-instant.ts';
import { publicationTrouble } from '../../../../shared/model/uploads/follow-ups.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { asksAboutDuplicate } from '../../../../shared/model/uploads/upload-machine.ts';
import type { BatchRecord } from '../journal/batch-store.ts';
import { shownFollowUp } from './shown-follow-up.ts';

type Outcome = ReceiptLine['outcome'];

/** Returns the outcome of all uploads in a batch. The totals are counted from the lines, so they always add up. */
export function buildReceipt(batch: BatchRecord, siteName: string, uploads: readonly Upload[]): Receipt {
  const lines = uploads.map((upload) => receiptLine(upload, siteName));
  const count = (outcome: Outcome) => lines.filter((line) => line.outcome === outcome).length;
  return {
    batchId: batch.id,
    site: siteName,
    collectionId: batch.collectionId,
    collectionName: batch.collectionName,
    addedAt: isoOf(batch.addedAt),
    totals: {
      added: lines.length,
      complete: count('complete'),
      failed: count('failed'),
      asks: count('asks'),
      cancelled: count('cancelled'),
      skipped: count('skipped'),
      pending: count('pending'),
      unpublished: lines.filter(isUnpublished).length,
      bytes: lines.reduce((sum, line) => sum + (line.outcome === 'complete' ? line.sizeBytes : 0), 0),
    },
    lines,
  };
}

function isUnpublished({ outcome, followUps }: ReceiptLine): boolean {
  return outcome === 'complete' && followUps.some(({ kind, state }) => kind === 'publish' && state !== 'done');
}

/** Returns the outcome of one upload. `baseUrl` is the address of its site. */
export function receiptLine(upload: Upload, baseUrl: string): ReceiptLine {
  const error = upload.error ?? publicationTrouble(upload.followUps);
  return {
    uploadId: upload.id,
    path: upload.path,
    fileName: upload.fileName,
    sizeBytes: upload.sizeBytes,
    sha256: upload.sha256,
    title: upload.title,
    outcome: outcomeOf(upload),
    mediaId: upload.mediaId,
    fileId: upload.fileId,
    attempts: wasTried(upload) ? upload.retries + 1 : 0,
    addedAt: isoOf(upload.addedAt),
    endedAt: upload.endedAt === null ? null : isoOf(upload.endedAt),
    errorCode: error?.code ?? null,
    errorMessage: error?.message ?? null,
    link: linkTo(upload, baseUrl),
    followUps: upload.followUps.map(shownFollowUp),
  };
}

/** Returns the address that redirects a browser to the item's page; null without an item. */
function linkTo({ mediaId }: Upload, baseUrl: string): string | null {
  return mediaId === null || !/^https?:/.test(baseUrl)
    ? null
    : `${baseUrl}/api2/media/${encodeURIComponent(mediaId)}/view`;
}

/** Returns whether the first attempt was made. It counts, too: an upload that arrived at once has one attempt and no retry. */
function wasTried(upload: Upload): boolean {
  return upload.itemIntentAt !== null || upload.mediaId !== null || upload.retries > 0;
}

function outcomeOf(upload: Upload): Outcome {
  if (asksAboutDuplicate(upload)) return 'asks';
  switch (upload.state) {
    case 'complete':
    case 'failed':
    case 'cancelled':
    case 'skipped':
      return upload.state;
    default:
      return 'pending';
  }
}
