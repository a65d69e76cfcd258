import { create } from 'zustand';
import type { AppErrorData } from '../../../../../shared/contract/app-error.ts';
import type {
  CheckedManifest,
  ManifestProblem,
  OpenedManifest,
} from '../../../../../shared/contract/manifest-calls.ts';
import { localTimeZone } from '../../../../../shared/model/local-time-zone.ts';
import { type ManifestField, mappingProblem } from '../../../../../shared/model/manifest/fields.ts';
import type { Separator } from '../../../../../shared/model/table/delimited-reader.ts';
import type { TextEncoding } from '../../../../../shared/model/table/encodings.ts';
import { latestOnly } from '../../../../kit/async/latest-only.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { createWindowedList } from '../../../../kit/lists/windowed-list.ts';
import { toErrorData } from '../../../../kit/text/errors.ts';
import { attempt } from '../../../common/state/messages-store.ts';
import { openPlannedReview } from '../selection/review-store.ts';
import { texts } from '../texts.ts';
import { showSaved } from './export-store.ts';

interface ImportState {
  /** null while the dialog is closed. */
  path: string | null;
  siteId: string;
  /** The encoding that the user chose; null: the detected one applies. */
  encoding: TextEncoding | null;
  separator: Separator | null;
  opened: OpenedManifest | null;
  mapping: readonly (ManifestField | null)[];
  timeZone: string;
  /** The result of checking the file with the current mapping; null during the check, and when the file can't be checked. */
  checked: CheckedManifest | null;
  isBusy: boolean;
  error: AppErrorData | null;
  /** Whether the import omits rows with errors. */
  leavesOutBad: boolean;
}

const CLOSED = {
  path: null,
  siteId: '',
  encoding: null,
  separator: null,
  opened: null,
  mapping: [],
  timeZone: 'UTC',
  checked: null,
  isBusy: false,
  error: null,
  leavesOutBad: false,
} satisfies ImportState;

export const useImport = create<ImportState>(() => CLOSED);

/** The errors of the last check, in the order of the rows. */
export const problemRows = createWindowedList<{ manifestId: string; planId: string }, ManifestProblem>({
  load: ({ manifestId }, { offset, limit }) => call('manifest.problems', { manifestId, offset, limit }),
  idOf: ({ row, column }) => `${row} ${column}`,
});

/** Lets the user choose a file, and opens the import dialog with the file. */
export function pickImport(siteId: string): Promise<void> {
  return attempt(async () => {
    const { path } = await call('shell.chooseSpreadsheet', null);
    if (path !== null) await openImport(siteId, path);
  });
}

function openImport(siteId: string, path: string): Promise<void> {
  const timeZone = localTimeZone();
  useImport.setState({ ...CLOSED, siteId, path, timeZone });
  return read();
}

export function closeImport(): void {
  requests.begin();
  problemRows.open(null);
  useImport.setState(CLOSED);
}

const requests = latestOnly();

/** Reads the file with the chosen encoding and separator, then checks it. */
async function read(): Promise<void> {
  const { path, encoding, separator } = useImport.getState();
  if (path === null) return;
  const request = requests.begin();
  problemRows.open(null);
  useImport.setState({ opened: null, checked: null, error: null, isBusy: true });
  try {
    const opened = await call('manifest.open', { path, encoding, separator });
    if (!request.isLatest()) return;
    useImport.setState({ opened, mapping: opened.mapping });
    await check();
  } catch (thrown) {
    if (request.isLatest()) useImport.setState({ error: toErrorData(thrown), isBusy: false });
  }
}

/** Checks all rows with the current mapping. Does nothing when the mapping can't be used: the user has to correct it first. */
async function check(): Promise<void> {
  const { opened, mapping, siteId, timeZone } = useImport.getState();
  if (opened === null) return;
  const request = requests.begin();
  const { manifestId } = opened;
  problemRows.open(null);
  const isUsable = mappingProblem(mapping) === null;
  useImport.setState({ checked: null, error: null, isBusy: isUsable, leavesOutBad: false });
  if (!isUsable) return;
  try {
    const checked = await call('manifest.check', { manifestId, siteId, mapping: [...mapping], timeZone });
    if (!request.isLatest()) return;
    useImport.setState({ checked, isBusy: false });
    if (checked.problems > 0) problemRows.open({ manifestId, planId: checked.planId });
  } catch (thrown) {
    if (request.isLatest()) useImport.setState({ error: toErrorData(thrown), isBusy: false });
  }
}

export function chooseEncoding(encoding: TextEncoding): void {
  useImport.setState({ encoding });
  void read();
}

export function chooseSeparator(separator: Separator): void {
  useImport.setState({ separator });
  void read();
}

/** Assigns a field to a column. The column that had the field before is no longer imported. */
export function chooseField(column: number, field: ManifestField | null): void {
  useImport.setState(({ mapping }) => ({
    mapping: mapping.map((each, at) => (at === column ? field : each === field ? null : each)),
  }));
  void check();
}

export function chooseTimeZone(timeZone: string): void {
  useImport.setState({ timeZone });
  void check();
}

export function leaveOutBad(leavesOutBad: boolean): void {
  useImport.setState({ leavesOutBad });
}

/** Reads and checks the file again, for example after the user repaired it. */
export function repeatImport(): Promise<void> {
  return read();
}

/** Lets the user choose where to save a copy of the file with an error column, and saves it. */
export function saveErrors(): Promise<void> {
  return attempt(async () => {
    const { opened } = useImport.getState();
    if (opened === null) return;
    const { manifestId, fileName, format } = opened;
    const name = `${texts.manifest.errorsName(fileName.replace(/\.[^.]*$/, ''))}.${format}`;
    const { path } = await call('shell.saveSpreadsheet', { name, format });
    if (path === null) return;
    await call('manifest.saveErrors', { manifestId, path });
    showSaved(texts.manifest.errorsSaved, path);
  });
}

/** Closes this dialog and opens the review of the changes. The import changes nothing before the user confirms the review. */
export function reviewImport(): void {
  const { opened, checked, siteId } = useImport.getState();
  if (opened === null || checked === null) return;
  closeImport();
  void openPlannedReview(siteId, checked.planId, texts.manifest.label(opened.fileName).slice(0, 200));
}
