export interface FolderRule {
  /** From the repository's root. A file belongs to the rule with the longest folder that contains it. */
  folder: string;
  /** Folders that it may import from, itself aside. All of them are further up in the list, so that no circle is possible. */
  mayImport: readonly string[];
}

export interface PartRules {
  part: string;
  /** From the ground up. Files right under the part are its top, which may import everything. */
  folders: readonly FolderRule[];
  /** Files with this ending serve requests. Beside their own folder, only `routesFor` may import them. */
  routes?: { ending: string; routesFor: string };
}
