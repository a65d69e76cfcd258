import { create } from 'zustand';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { Series } from '../../../../shared/contract/series.ts';
import type { ListedFile } from '../../../../shared/contract/upload-files.ts';
import type { AddUploadsOutput, UploadsPreview } from '../../../../shared/contract/uploads.ts';
import type { GridModel } from '../../../../shared/model/grid/grid-model.ts';
import { localTimeZone } from '../../../../shared/model/local-time-zone.ts';
import { MOST_SERIES_ITEMS } from '../../../../shared/model/series/series-limits.ts';
import { latestOnly } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { toErrorData } from '../../../kit/text/errors.ts';
import { refusalToAdd } from '../../common/state/add-rights-store.ts';
import { attempt } from '../../common/state/messages-store.ts';
import type { Descriptions } from './add-described.ts';
import { fileTable, omitsSame, renumbered, type TableOptions, timesInSheet } from './add-files.ts';
import { type AddOptions, newOptions } from './add-options.ts';
import { chosenPairs, type PairChoice, type PairChoices, type UnclearFile, unclearFiles } from './add-pairs.ts';
import type { FileTimes } from './add-series.ts';
import { type KnownContents, NOTHING_KNOWN } from './file-contents.ts';
import { describedByOffer, type ManifestOffer, newOffer } from './manifest-offer.ts';
import type { OfferedCollection } from './own-choices.ts';
import { texts } from './texts.ts';
import { endReading, readForTitles } from './title-contents.ts';

/** The choices that decide which files are listed as items, and which files only belong to other files. */
type ListChoices = Pick<AddState, 'sidecars' | 'pairChoices'>;

interface AddState {
  /** The dropped or picked files and folders; null while the sheet is closed. */
  paths: readonly string[] | null;
  /**
   * The result of the last count by the engine; null before the first count. During a new count, it belongs to the earlier
   * choices.
   */
  preview: UploadsPreview | null;
  isCounting: boolean;
  /** The choices that the last count used; null before the first count. */
  countedFor: ListChoices | null;
  /** The files of the last count with the values that the user entered for each; null before the first count. */
  table: GridModel | null;
  /** Files whose recording is ambiguous by name, including files that the user has decided. */
  unclear: readonly UnclearFile[];
  /** The choices of the user about the recordings of unclear files, by path. */
  pairChoices: PairChoices;
  /** The known data from inside the files, for titles that depend on it. */
  contents: KnownContents;
  /** Why the data of some files could not be read; null without an error. */
  contentsError: AppErrorData | null;
  /** Spreadsheets among the added files that can describe them. */
  manifests: readonly ManifestOffer[];
  /** The values of the used spreadsheets for files. */
  descriptions: Descriptions;
  /** The collections that single files can be added to; empty until they are loaded. */
  collections: readonly OfferedCollection[];
  options: AddOptions;
  /** Publish times of the files one after another; null: all have the publication of the options. */
  series: Series | null;
  /** The publish times of the files of the table in the series; null without one. */
  times: FileTimes | null;
  siteId: string | null;
  collectionId: string | null;
  /** Whether captions and thumbnails beside a recording are uploaded with it; it changes the count. */
  sidecars: boolean;
  isAdding: boolean;
  error: AppErrorData | null;
  result: AddUploadsOutput | null;
  /** The results and the file paths of the requests that succeeded before the last attempt failed. */
  before: { results: readonly AddUploadsOutput[]; paths: ReadonlySet<string> };
}

const NO_COLLECTIONS: readonly OfferedCollection[] = [];

const CLOSED = {
  paths: null,
  preview: null,
  isCounting: false,
  countedFor: null,
  table: null,
  unclear: [],
  pairChoices: new Map(),
  contents: NOTHING_KNOWN,
  contentsError: null,
  manifests: [],
  descriptions: new Map(),
  collections: NO_COLLECTIONS,
  series: null,
  times: null,
  sidecars: true,
  isAdding: false,
  error: null,
  result: null,
  before: { results: [], paths: new Set<string>() },
} as const;

export const useAdd = create<AddState>(() => ({ siteId: null, collectionId: null, ...CLOSED, options: newOptions() }));

/** Opens the sheet for dropped or picked files immediately: the files are counted while it is open. */
export function openAddSheet(siteId: string, collectionId: string | null, paths: readonly string[]): void {
  endPreview();
  endReading();
  // A copy, so that its identity identifies this opening of the sheet; see `isOpenFor`.
  useAdd.setState({ ...CLOSED, options: newOptions(), siteId, collectionId, paths: [...paths] });
  void loadPreview();
  void loadCollections(siteId);
}

/** Returns whether the sheet with these paths is still open, and was not opened again for other paths. */
export function isOpenFor(paths: readonly string[]): boolean {
  return useAdd.getState().paths === paths;
}

const previews = latestOnly();
const collectionLists = latestOnly();

/** Loads the collections that single files can be added to. If that fails, all files are added to the collection of the sheet. */
async function loadCollections(siteId: string): Promise<void> {
  const latest = collectionLists.begin();
  try {
    const { collections } = await call('manifest.collections', { siteId });
    if (!latest.isLatest()) return;
    useAdd.setState({ collections });
    refreshTable();
  } catch (thrown) {
    if (latest.isLatest()) useAdd.setState({ error: toErrorData(thrown) });
  }
}

/** Counts the files that would be added with the current choices. */
async function loadPreview(): Promise<void> {
  const { paths, siteId, collectionId, sidecars, pairChoices } = useAdd.getState();
  if (paths === null) return;
  const latest = previews.begin();
  endPreview();
  useAdd.setState({ isCounting: true });
  try {
    const choices = chosenPairs(pairChoices);
    const request = { paths: [...paths], siteId, collectionId, sidecars, lists: true, choices };
    const preview = await call('uploads.preview', request);
    if (!latest.isLatest()) return;
    const { table, unclear: known, manifests: offers } = useAdd.getState();
    const files = filesOf(preview);
    const pairs = unclearFiles(known, files, pairChoices);
    const timeZone = localTimeZone();
    const manifests = (preview.manifests ?? []).map(
      (found) => offers.find(({ path }) => path === found.path) ?? newOffer(found, timeZone),
    );
    const countedFor = { sidecars, pairChoices: pairs.choices };
    const descriptions = describedByOffer(manifests, files);
    useAdd.setState({ unclear: pairs.unclear, pairChoices: pairs.choices, manifests, descriptions });
    useAdd.setState({ preview, countedFor, isCounting: false, ...filledTable(table, files) });
    readContentsForTitles();
  } catch (thrown) {
    if (latest.isLatest()) useAdd.setState({ error: toErrorData(thrown), isCounting: false });
  }
}

/** Returns the options that decide about the initial values of the table of files. `table`: the files that the user omitted. */
function tableOptions(
  table: GridModel | null,
  files: readonly ListedFile[],
): TableOptions & { times: FileTimes | null } {
  const { options, descriptions, contents, collections, series } = useAdd.getState();
  const times = series === null ? null : timesInSheet(table, files, series, descriptions);
  return { ...options, descriptions, contents, collections, times };
}

function filledTable(table: GridModel | null, files: readonly ListedFile[]): Pick<AddState, 'table' | 'times'> {
  const options = tableOptions(table, files);
  return { table: fileTable(table, files, options), times: options.times };
}

/** Builds the table again with the currently known data. */
function refreshTable(): void {
  const { table, preview } = useAdd.getState();
  if (table !== null) useAdd.setState(filledTable(table, filesOf(preview)));
}

/** Reads data from inside the files while the title template needs it. */
function readContentsForTitles(): void {
  const { paths, preview, options, contents: known } = useAdd.getState();
  readForTitles(
    filesOf(preview),
    paths ?? [],
    options.titleTemplate,
    known,
    (contents, isWorthShowing) => {
      useAdd.setState({ contents, contentsError: null });
      if (isWorthShowing) refreshTable();
    },
    (thrown) => useAdd.setState({ contentsError: toErrorData(thrown) }),
  );
}

/** The listed files of a count. */
export function filesOf(preview: UploadsPreview | null): readonly ListedFile[] {
  return preview?.list?.files ?? NO_FILES;
}

const NO_FILES: readonly ListedFile[] = [];

/** Stores a change that the user made in the table. */
export function changeTable(next: GridModel): void {
  const { table, preview } = useAdd.getState();
  if (table === null || omitsSame(table, next)) {
    useAdd.setState({ table: next });
    return;
  }
  const files = filesOf(preview);
  const options = tableOptions(next, files);
  useAdd.setState({ table: renumbered(next, files, options), times: options.times });
}

/** Changes options. Values that the user entered for single files stay. */
export function chooseOptions(change: Partial<AddOptions>): void {
  const { table, options: before } = useAdd.getState();
  const options = { ...before, ...change };
  const isSame = options.titleTemplate === before.titleTemplate && options.tags === before.tags;
  useAdd.setState({ options });
  if (table === null || isSame) return;
  refreshTable();
  readContentsForTitles();
}

/** Publishes the files one after another; null: all have the publication of the options. */
export function chooseSeries(series: Series | null): void {
  useAdd.setState({ series });
  refreshTable();
}

/** Ends the count that is in flight: its answer is no longer needed, and it uses resources of the engine. */
function endPreview(): void {
  if (useAdd.getState().isCounting) void attempt(async () => void (await call('uploads.endPreview', null)));
}

export function chooseSidecars(sidecars: boolean): void {
  useAdd.setState({ sidecars });
  void loadPreview();
}

/** Stores choices of recordings, by path; null: undecided again. Counts all files again with the choices. */
export function choosePairs(changes: ReadonlyMap<string, PairChoice | null>): void {
  const pairChoices = new Map(useAdd.getState().pairChoices);
  for (const [path, choice] of changes) {
    if (choice === null) pairChoices.delete(path);
    else pairChoices.set(path, choice);
  }
  useAdd.setState({ pairChoices });
  void loadPreview();
}

/** Changes the data about a spreadsheet. The table shows the values of the spreadsheet while it is used. */
export function changeOffer(path: string, change: Partial<ManifestOffer>): void {
  const { manifests: before, preview } = useAdd.getState();
  const manifests = before.map((offer) => (offer.path === path ? { ...offer, ...change } : offer));
  useAdd.setState({ manifests });
  if (!('decision' in change) && !('checked' in change)) return;
  useAdd.setState({ descriptions: describedByOffer(manifests, filesOf(preview)) });
  refreshTable();
}

/** Closes the sheet. Does nothing while files are being added, because the result would not be visible. */
export function closeAddSheet(): void {
  if (useAdd.getState().isAdding) return;
  endPreview();
  previews.cancel();
  collectionLists.cancel();
  endReading();
  useAdd.setState(CLOSED);
}

export function chooseTarget(collectionId: string | null): void {
  const { siteId, collections } = useAdd.getState();
  useAdd.setState({ collectionId, error: null });
  if (collections.length === 0 && siteId !== null) void loadCollections(siteId);
  if (siteId !== null) void showRefusal(siteId, collectionId);
  // The collection decides which of the files are duplicates.
  void loadPreview();
}

/** Shows in the sheet why the account can't add items to the chosen collection. */
async function showRefusal(siteId: string, collectionId: string | null): Promise<void> {
  const { paths } = useAdd.getState();
  const error = await refusalToAdd(siteId, collectionId);
  const now = useAdd.getState();
  if (error !== null && now.paths === paths && now.collectionId === collectionId) useAdd.setState({ error });
}

/** Returns whether the list has all files of the present choices. It may be too long, and a new count may be in flight. */
export function listsAll({ preview, countedFor, sidecars, pairChoices } = useAdd.getState()): boolean {
  const isCurrent = countedFor?.sidecars === sidecars && countedFor.pairChoices === pairChoices;
  return isCurrent && preview?.list?.isAll === true;
}

/** Returns why the files can't be published one after another; null when they can. Files outside the list would have no time. */
export function seriesProblem(state = useAdd.getState()): string | null {
  const { preview, times } = state;
  if (listsAll(state)) return times?.problem ?? null;
  return preview?.list?.isAll === false ? texts.seriesTooLong(preview.files, MOST_SERIES_ITEMS) : texts.seriesNotListed;
}
