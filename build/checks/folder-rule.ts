export interface FolderRule {
  /** A path from the repository's root. A file belongs to the rule with the longest folder that contains it. */
  folder: string;
  /**
   * The folders that it may import from, apart from itself. All of them are earlier in the list, so that no cycle is possible.
   */
  mayImport: readonly string[];
}

export interface PartRules {
  part: string;
  /** Ordered so that each folder only imports from earlier ones. Files directly in the part may import everything. */
  folders: readonly FolderRule[];
  /** Files with this ending serve requests. Apart from their own folder, only `routesFor` may import them. */
  routes?: { ending: string; routesFor: string };
}

/**
 * Returns the rules of a part from a table: each folder of the part, with the folders that it may import from. Names are relative
 * to the part, and separated by blanks.
 */
export function partRules(
  table: Omit<PartRules, 'folders'> & { folders: Readonly<Record<string, string>> },
): PartRules {
  const inPart = (name: string) => `${table.part}/${name}`;
  const folders = Object.entries(table.folders).map(([folder, names]) => ({
    folder: inPart(folder),
    mayImport: names
      .split(/\s+/)
      .filter((name) => name !== '')
      .map(inPart),
  }));
  return { ...table, folders };
}
