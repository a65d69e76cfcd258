import { type FileRowField, fileMappingProblem } from '../../../../shared/model/manifest/file-rows.ts';
import type { Separator } from '../../../../shared/model/table/delimited-reader.ts';
import type { TextEncoding } from '../../../../shared/model/table/encodings.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { toErrorData } from '../../../kit/text/errors.ts';
import { attempt, notify } from '../../common/state/messages-store.ts';
import { changeOffer, useAdd } from './add-store.ts';
import type { ManifestOffer } from './manifest-offer.ts';
import { texts } from './texts.ts';

/** The maximum number of problems in the dialog; a saved copy of the file contains all of them. */
const SHOWN_PROBLEMS = 200;

function offerAt(path: string): ManifestOffer | null {
  return useAdd.getState().manifests.find((offer) => offer.path === path) ?? null;
}

/** The running step of each spreadsheet, by path. A newer step makes the result of an older one invalid. */
const running = new Map<string, object>();

async function step(path: string, run: (isLatest: () => boolean) => Promise<void>): Promise<void> {
  const { paths } = useAdd.getState();
  const token = {};
  running.set(path, token);
  const isLatest = () => running.get(path) === token && useAdd.getState().paths === paths;
  changeOffer(path, { isBusy: true, error: null });
  try {
    await run(isLatest);
  } catch (thrown) {
    if (isLatest()) changeOffer(path, { error: toErrorData(thrown) });
  } finally {
    if (isLatest()) changeOffer(path, { isBusy: false });
    if (running.get(path) === token) running.delete(path);
  }
}

/** Reads a spreadsheet with the chosen encoding and separator, suggests the fields of its columns, and checks its rows. */
export function readManifest(path: string): Promise<void> {
  return step(path, async (isLatest) => {
    const offer = offerAt(path);
    if (offer === null) return;
    changeOffer(path, { opened: null, checked: null, problems: [] });
    const { encoding, separator } = offer;
    const opened = await call('manifest.open', { path, encoding, separator });
    if (!isLatest()) return;
    changeOffer(path, { opened, mapping: opened.fileMapping });
    await checkRows(path, isLatest);
  });
}

/** Checks the rows again, for example after an option of the sheet changed. Reads the file first if it was not read yet. */
export function checkManifest(path: string): Promise<void> {
  const offer = offerAt(path);
  if (offer?.opened == null) return readManifest(path);
  return step(path, (isLatest) => checkRows(path, isLatest));
}

/** Checks the rows. Does nothing when the mapping can't be used: the user has to correct it first. */
async function checkRows(path: string, isLatest: () => boolean): Promise<void> {
  const { siteId, sidecars } = useAdd.getState();
  const offer = offerAt(path);
  if (offer?.opened == null || siteId === null) return;
  changeOffer(path, { checked: null, problems: [] });
  const { mapping, timeZone } = offer;
  if (fileMappingProblem(mapping) !== null) return;
  const check = async (manifestId: string) => {
    const input = { manifestId, siteId, mapping: [...mapping], timeZone, sidecars, hasCollection: true };
    const checked = await call('manifest.checkFiles', input);
    const { rows } = await call('manifest.problems', { manifestId, limit: SHOWN_PROBLEMS });
    return { checked, problems: rows };
  };
  try {
    const result = await check(offer.opened.manifestId);
    if (isLatest()) changeOffer(path, result);
  } catch (thrown) {
    // The engine keeps only a few files open: a file that it has closed is opened again.
    if (toErrorData(thrown).code !== 'manifest.over') throw thrown;
    const { encoding, separator } = offer;
    const opened = await call('manifest.open', { path, encoding, separator });
    const result = await check(opened.manifestId);
    if (isLatest()) changeOffer(path, { opened, ...result });
  }
}

/** Fills the table with the values of the spreadsheet, or removes these values. */
export function decideManifest(path: string, decision: ManifestOffer['decision']): void {
  changeOffer(path, { decision });
}

/** Assigns a field to a column. The column that had the field before is no longer used. */
export function chooseColumn(path: string, column: number, field: FileRowField | null): void {
  const mapping = offerAt(path)?.mapping ?? [];
  changeOffer(path, {
    mapping: mapping.map((each, at) => (at === column ? field : each === field ? null : each)),
  });
  void checkManifest(path);
}

export function chooseManifestZone(path: string, timeZone: string): void {
  changeOffer(path, { timeZone });
  void checkManifest(path);
}

/** Reads the file with another encoding or separator. */
export function chooseManifestForm(path: string, form: { encoding: TextEncoding } | { separator: Separator }): void {
  changeOffer(path, form);
  void readManifest(path);
}

/** Lets the user choose where to save a copy of the file with an error column, and saves it. */
export function saveManifestErrors(path: string): Promise<void> {
  return attempt(async () => {
    const { opened, fileName } = offerAt(path) ?? {};
    if (opened == null || fileName === undefined) return;
    const name = `${texts.manifestErrors(fileName.replace(/\.[^.]*$/, ''))}.${opened.format}`;
    const saved = await call('shell.saveSpreadsheet', { name, format: opened.format });
    if (saved.path === null) return;
    await call('manifest.saveErrors', { manifestId: opened.manifestId, path: saved.path });
    notify(texts.manifestErrorsSaved);
  });
}
