/**
 * The names of spreadsheets that describe the files of their folder, in the order in which they count. Programs and people write them
 * with other capitals, too.
 */
export const MANIFEST_NAMES = [
  ...['manifest.csv', 'Manifest.csv', 'MANIFEST.csv', 'MANIFEST.CSV', 'manifest.CSV', 'Manifest.CSV'],
  ...['manifest.xlsx', 'Manifest.xlsx', 'MANIFEST.xlsx', 'MANIFEST.XLSX', 'manifest.XLSX', 'Manifest.XLSX'],
] as const;

/** Returns whether a file describes the files of its folder, by its name. */
export function isManifestName(name: string): boolean {
  return (MANIFEST_NAMES as readonly string[]).includes(name);
}
