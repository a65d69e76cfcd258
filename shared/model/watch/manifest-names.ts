/** The names of a spreadsheet that describes the files of its folder. */
export const MANIFEST_NAMES = ['manifest.csv', 'manifest.xlsx'] as const;

/** Returns whether a file describes the files of its folder, by its name. */
export function isManifestName(name: string): boolean {
  return (MANIFEST_NAMES as readonly string[]).includes(name);
}
