import { counts, defineTexts, plural } from '../../kit/text/define-texts.ts';
import { formatCount } from '../../kit/text/format.ts';

/** The texts of the receipts view. */
export const texts = defineTexts({
  en: {
    title: 'Receipts',
    search: 'Find a file in all receipts',
    loading: 'Loading receipts…',
    notLoaded: 'The receipts couldn’t be loaded',
    none: 'No receipts yet',
    noneHint: 'When you add files, Mediadesk keeps a receipt of each batch that shows what happened to every file.',
    addFiles: 'Add files…',
    batches: 'Batches',
    /** `folder`: the added folder, when it was a single one. */
    batchFacts: (folder: string | null, time: string, files: number, size: string) =>
      `${folder === null ? '' : `${folder} · `}${time} · ${counts.files(files)} · ${size}`,
    back: 'Back to the batches',
    toolbar: 'Receipt',
    receiptOf: (collection: string) => `Receipt for ${collection}`,
    filter: 'Show',
    filters: {
      all: 'All files',
      complete: 'Complete',
      needsDecision: 'Needs decision',
      failed: 'Failed',
      active: 'Uploading',
      waiting: 'Waiting',
    },
    showInUploads: 'Show in uploads',
    folder: 'Folder added',
    added: (time: string) => `Added ${time}`,
    addedTo: (library: string, account: string | null) =>
      account === null ? `to ${library}` : `to ${library} by ${account}`,
    files: 'Files of the receipt',
    fileNotLoaded: 'The receipt couldn’t be loaded',
    noMatch: 'No files in this state',
    noMatchHint: 'This batch has files in other states.',
    showAll: 'Show all files',
    save: 'Save receipt',
    formats: {
      html: 'Page to print or forward (HTML)…',
      csv: 'Table (CSV)…',
      json: 'Data (JSON)…',
    },
    columns: {
      status: 'Status',
      file: 'File',
      size: 'Size',
      ended: 'Ended',
      hash: 'SHA-256',
      actions: 'Actions',
    },
    fileLoading: 'Loading',
    more: (fileName: string) => `More for ${fileName}`,
    searching: 'Searching all receipts…',
    found: counts.files,
    foundFiles: 'Files found',
    notSearched: 'The receipts couldn’t be searched',
    nothingFound: (text: string) => `No files match “${text}”`,
    nothingFoundHint:
      'Mediadesk searches file names, titles, IDs, and the beginning of SHA-256 checksums in all receipts.',
    clearSearch: 'Clear search',
    batchPlace: (time: string, library: string) => `${time} · ${library}`,
    openReceipt: 'Open receipt',
    openReceiptOf: (fileName: string) => `Open the receipt of ${fileName}`,
    outcomes: {
      added: 'added',
      complete: 'complete',
      failed: 'failed',
      needsDecision: 'needs decision',
      cancelled: 'cancelled',
      skipped: 'skipped',
      pending: 'in progress',
    },
    counted: {
      complete: (count: number) => `${formatCount(count)} complete`,
      failed: (count: number) => `${formatCount(count)} failed`,
      needsDecision: (count: number) => plural(count, { one: '# needs your decision', other: '# need your decision' }),
      inProgress: (count: number) => `${formatCount(count)} in progress`,
    },
    /** The counts as a sentence, for screen readers. */
    totals: (added: number, parts: readonly string[]) =>
      `${plural(added, { one: '# file added', other: '# files added' })}: ${parts.join(', ')}.`,
    total: (count: number, outcome: string) => `${formatCount(count)} ${outcome}`,
    needsDecision: 'Needs decision',
    inProgress: 'In progress',
  },
});
