import { Bytes } from '../../../../shared/formats/bytes/bounded-bytes.ts';
import { begins, type Signature } from '../../../../shared/formats/signatures.ts';
import { TableError } from '../../../../shared/model/table/table-error.ts';

/** Files that users choose by mistake, and that are no text. */
const OTHER_FILES: readonly (readonly [string | null, Signature])[] = [
  [null, 'zip'],
  [null, 'compound'],
  ['a PDF file', 'pdf'],
  ['a PNG picture', 'png'],
  ['a JPEG picture', 'jpeg'],
  ['a gzip file', 'gzip'],
];

/** Throws `TableError` `not-a-table` for the first bytes of a file that is no text. */
export function refuseOtherFiles(head: Uint8Array): void {
  const start = new Bytes(head);
  for (const [format, signature] of OTHER_FILES) {
    if (begins(start, signature)) throw new TableError('not-a-table', null, format);
  }
}

/** Bytes from the beginning of an Office file that `compoundDirectoryAt` needs. */
export const COMPOUND_HEAD_BYTES = 512;
/** Bytes of the directory that are checked: 32 entries. */
export const COMPOUND_DIRECTORY_BYTES = 4096;

/**
 * Returns the position of the directory of a compound file: old Office files, and new ones with a password. null: the bytes don't
 * begin such a file.
 */
export function compoundDirectoryAt(head: Uint8Array): number | null {
  const start = new Bytes(head);
  if (head.length < COMPOUND_HEAD_BYTES || !begins(start, 'compound')) return null;
  const sectorBytes = start.uint16(30, true) === 12 ? 4096 : 512;
  return (start.uint32(48, true) + 1) * sectorBytes;
}

const ENTRY_BYTES = 128;
const MOST_NAME_BYTES = 64;

/** Returns the error for a compound file by its directory. */
export function compoundError(directory: Uint8Array): TableError {
  const names = new Set<string>();
  for (let at = 0; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
    const name = new TextDecoder('utf-16le').decode(directory.subarray(at, at + MOST_NAME_BYTES));
    names.add(name.split('\0', 1)[0] ?? '');
  }
  if (names.has('EncryptedPackage') || names.has('EncryptionInfo')) return new TableError('password');
  const isOldExcel = names.has('Workbook') || names.has('Book');
  const format = isOldExcel ? 'an old XLS spreadsheet' : names.has('WordDocument') ? 'an old Word document' : null;
  return new TableError('not-a-table', null, format);
}

/** A file in a zip file, in lower case, that tells its format. */
const OTHER_PACKAGES: Readonly<Record<string, string>> = {
  'xl/workbook.bin': 'an XLSB spreadsheet',
  'word/document.xml': 'a Word document',
  'ppt/presentation.xml': 'a PowerPoint presentation',
  'index/document.iwa': 'a Numbers spreadsheet',
};

/** Returns the format of a zip file that is no XLSX file; null: unknown. `mimeType`: its file with this name. */
export function otherPackage(has: (path: string) => boolean, mimeType: string): string | null {
  if (mimeType.startsWith('application/vnd.oasis.opendocument.')) {
    return mimeType.includes('spreadsheet') ? 'an ODS spreadsheet' : 'an OpenDocument file';
  }
  return Object.entries(OTHER_PACKAGES).find(([path]) => has(path))?.[1] ?? null;
}
