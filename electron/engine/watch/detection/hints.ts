import { foldersOf, nameOf } from '../../../../shared/model/watch/watched-file.ts';
import type { FolderHint } from '../../ports/folder-events.ts';

/** The number of hints in one folder above which that folder is listed. */
const MOST_NAMES = 128;
/** The number of folders with hints above which a sweep runs. */
const MOST_FOLDERS = 512;

/** The work for hints: paths of files, folders to list, and folders to list with everything below. */
export interface HintWork {
  isSweep: boolean;
  files: string[];
  folders: string[];
  trees: string[];
}

/** Collects hints about one watched folder. A flood takes no more memory than the limits above. */
export class Hints {
  #isSweep = false;
  /** Names by folder; null: the whole folder. */
  readonly #names = new Map<string, Set<string> | null>();
  readonly #trees = new Set<string>();

  get isEmpty(): boolean {
    return !this.#isSweep && this.#names.size === 0 && this.#trees.size === 0;
  }

  add({ path, isFolder }: FolderHint): void {
    if (this.#isSweep) return;
    if (isFolder) this.#trees.add(path);
    else this.#addFile(foldersOf(path).join('/'), nameOf(path));
    if (path === '' || this.#names.size + this.#trees.size > MOST_FOLDERS) this.#collapse();
  }

  /** Returns the pending work, and clears it. */
  take(): HintWork {
    const trees = [...this.#trees];
    const isBelowTree = (folder: string) => trees.some((tree) => folder === tree || folder.startsWith(`${tree}/`));
    const work: HintWork = { isSweep: this.#isSweep, files: [], folders: [], trees: outermost(trees) };
    for (const [folder, names] of this.#names) {
      if (isBelowTree(folder)) continue;
      if (names === null) work.folders.push(folder);
      else work.files.push(...[...names].map((name) => (folder === '' ? name : `${folder}/${name}`)));
    }
    this.#isSweep = false;
    this.#names.clear();
    this.#trees.clear();
    return work;
  }

  #addFile(folder: string, name: string): void {
    const names = this.#names.get(folder);
    if (names === null) return;
    if (names === undefined) this.#names.set(folder, new Set([name]));
    else if (names.size >= MOST_NAMES) this.#names.set(folder, null);
    else names.add(name);
  }

  #collapse(): void {
    this.#isSweep = true;
    this.#names.clear();
    this.#trees.clear();
  }
}

/** Returns the folders that are not inside another folder of the list. */
function outermost(folders: readonly string[]): string[] {
  const all = new Set(folders);
  return folders.filter((folder) => {
    const names = folder.split('/');
    return !names.some((_, depth) => depth > 0 && all.has(names.slice(0, depth).join('/')));
  });
}
