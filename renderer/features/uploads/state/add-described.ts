import type { PublishChoice } from '../../../../shared/contract/upload-choices.ts';
import type { FileChoice } from '../../../../shared/contract/upload-files.ts';
import type { AddUploadsOutput } from '../../../../shared/contract/uploads.ts';
import type { ItemFields } from '../../../../shared/item/fields.ts';

/** The values that a spreadsheet, or another file that describes recordings, contains for a file that the user adds. */
export interface Description {
  fields: Partial<ItemFields>;
  publish: PublishChoice | null;
  /** null: the collection of the sheet. */
  collection: { id: string; name: string } | null;
  /** The name of the file that contains these values. */
  source: string;
}

/** The descriptions of files, by their path. */
export type Descriptions = ReadonlyMap<string, Description>;

/** A call of `uploads.add`. */
export interface AddRequest {
  collectionId: string;
  paths: string[];
  /** What the user chose, if `paths` are files of it. */
  roots?: string[];
  files: FileChoice[];
  addsOthers: boolean;
}

export interface AddPlan {
  paths: readonly string[];
  collectionId: string;
  files: readonly FileChoice[];
  addsOthers: boolean;
  /** The ids of the collections of files that are not added to `collectionId`, by path. */
  ownCollections: ReadonlyMap<string, string>;
  /** The paths of files that earlier requests of the same sheet added; they are not added again. */
  done: ReadonlySet<string>;
}

/** Returns one request for each collection that single files have, then one request for all other files. */
export function addRequests({ paths, collectionId, files, addsOthers, ownCollections, done }: AddPlan): AddRequest[] {
  const collectionOf = (path: string) => ownCollections.get(path) ?? collectionId;
  const isOwn = ({ path, isExcluded }: FileChoice) =>
    isExcluded !== true && !done.has(path) && collectionOf(path) !== collectionId;
  const owned = files.filter(isOwn);
  const requests: AddRequest[] = [];
  for (const [id, some] of Map.groupBy(owned, ({ path }) => collectionOf(path))) {
    const own = new Set(some.map(({ path }) => path));
    const sidecars = files.filter(({ belongsTo }) => typeof belongsTo === 'string' && own.has(belongsTo));
    const roots = [...paths];
    requests.push({ collectionId: id, paths: [...own], roots, files: [...some, ...sidecars], addsOthers: false });
  }
  const elsewhere = new Set([...done, ...owned.map(({ path }) => path)]);
  const rest = files
    .filter(({ belongsTo }) => typeof belongsTo !== 'string' || !elsewhere.has(belongsTo))
    .map((file) => (elsewhere.has(file.path) ? { path: file.path, isExcluded: true } : file));
  const left = rest.some(({ isExcluded }) => isExcluded !== true);
  if (left || addsOthers || requests.length === 0) {
    requests.push({ collectionId, paths: [...paths], files: rest, addsOthers });
  }
  return requests;
}

/** Returns the number of added files, including files that were added to the items of earlier uploads. */
export function addedCount({ added, late }: AddUploadsOutput): number {
  return added + (late?.count ?? 0);
}

/** Combines the results of several requests into one. */
export function joinedResult(results: readonly AddUploadsOutput[]): AddUploadsOutput | null {
  const last = results.at(-1);
  if (last === undefined) return null;
  const sum = (of: (result: AddUploadsOutput) => number) => results.reduce((total, result) => total + of(result), 0);
  return {
    batchId: last.batchId,
    added: sum(({ added }) => added),
    addedBytes: sum(({ addedBytes }) => addedBytes),
    skipped: results.flatMap(({ skipped }) => skipped),
    skippedCount: sum(({ skippedCount }) => skippedCount),
    sidecars: sum(({ sidecars }) => sidecars),
    fallbackTitles: sum(({ fallbackTitles }) => fallbackTitles),
    ...(results.every(({ late }) => late === undefined) ? {} : { late: joinedLate(results) }),
  };
}

function joinedLate(results: readonly AddUploadsOutput[]): NonNullable<AddUploadsOutput['late']> {
  const all = results.flatMap(({ late }) => late ?? []);
  const sum = (of: (late: (typeof all)[number]) => number) => all.reduce((total, late) => total + of(late), 0);
  return {
    count: sum(({ count }) => count),
    bytes: sum(({ bytes }) => bytes),
    described: sum(({ described }) => described),
    files: all.flatMap(({ files }) => files),
    batchIds: all.flatMap(({ batchIds }) => batchIds),
    editIds: all.flatMap(({ editIds }) => editIds),
  };
}
