import type { MediaFile } from '../../../shared/api/files.ts';
import type { Output } from './output.ts';
import { formatBytes } from './text-format.ts';

/** Prints a table of files: one row for each file, and below it one for each encoding of it. Nothing without files. */
export function printFiles(output: Output, files: readonly MediaFile[]): void {
  const rows = files.flatMap((file) => [fileRow(file), ...(file.encodings ?? []).map((each) => fileRow(each, '  '))]);
  output.table(['FILE', 'KIND', 'STATUS', 'SIZE', 'NAME'], rows);
}

function fileRow(file: Omit<MediaFile, 'encodings'>, indent = ''): string[] {
  const size = file.size === null ? '' : formatBytes(file.size);
  const kind = file.encoding_profile ?? file.type ?? '';
  return [`${indent}${file.id}`, kind, file.status, size, file.display_name];
}
