import type { MediaFile } from '../../../shared/api/files.ts';
import { formatBytes, printable, table } from './text-format.ts';

/** Returns a table of files: one row for each file, and below it one for each encoding of it. Empty without files. */
export function itemFileRows(files: readonly MediaFile[]): string[] {
  if (files.length === 0) return [];
  const rows = files.flatMap((file) => [fileRow(file), ...(file.encodings ?? []).map((each) => fileRow(each, '  '))]);
  return table([['FILE', 'KIND', 'STATUS', 'SIZE', 'NAME'], ...rows]);
}

function fileRow(file: Omit<MediaFile, 'encodings'>, indent = ''): string[] {
  const size = file.size === null ? '' : formatBytes(file.size);
  const kind = file.encoding_profile ?? file.type ?? '';
  return [`${indent}${file.id}`, kind, file.status, size, printable(file.display_name)];
}
