import { create } from 'zustand';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { CallOutput } from '../../../../shared/contract/contract.ts';
import type { OfferedManifest, WatchedFolder } from '../../../../shared/contract/watch.ts';
import type { CollectionTarget, WatchRules } from '../../../../shared/contract/watch-rules.ts';
import { DEFAULT_RULE_ID } from '../../../../shared/model/watch/apply-rules.ts';
import { latestOnly } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { toErrorData } from '../../../kit/text/errors.ts';
import { notify } from '../../common/state/messages-store.ts';
import { type DraftProblem, draftProblems, insertRule, newRule, newRules } from './rules-draft.ts';
import { closePreview, loadPreview } from './rules-preview.ts';
import { type FolderDraft, storeDraft, storedDraft } from './stored-draft.ts';
import { texts } from './texts.ts';
import { openFolder, showFolderPane, takeFolder } from './watched-store.ts';

interface DraftState {
  draft: FolderDraft | null;
  /** The draft as it was when the editor opened, to detect changes. */
  original: FolderDraft | null;
  /** The short form for a new folder, or all rules with their preview. */
  place: 'sheet' | 'editor';
  /** The rule that the editor shows. */
  ruleId: string;
  /** The number of files in the folder; null during the count, or when the count failed. */
  count: CallOutput<'watch.count'> | null;
  /** The spreadsheets in the folder that can describe its files; null: the folder has none, or the search has not ended. */
  manifest: OfferedManifest | null;
  /** The reason why the spreadsheets of an existing watched folder are unknown. */
  manifestError: AppErrorData | null;
  /** Why the folder can't be watched. */
  pathError: AppErrorData | null;
  /** True while a save waits for the count of files: only the count shows whether the choice about existing files is missing. */
  isAwaitingCount: boolean;
  isSaving: boolean;
  error: AppErrorData | null;
  /** Whether problems are shown: true from the first attempt to save. */
  showsProblems: boolean;
  isAskingToDiscard: boolean;
}

const CLOSED: DraftState = {
  draft: null,
  original: null,
  place: 'sheet',
  ruleId: DEFAULT_RULE_ID,
  count: null,
  manifest: null,
  manifestError: null,
  pathError: null,
  isAwaitingCount: false,
  isSaving: false,
  error: null,
  showsProblems: false,
  isAskingToDiscard: false,
};

export const useDraft = create<DraftState>(() => CLOSED);

/** Opens the sheet for a new watched folder. Does nothing while another draft is open, because it would be lost. */
export function openAddFolder(path: string, siteId: string, collection: CollectionTarget | null): void {
  if (useDraft.getState().draft !== null) return;
  const rules = newRules(siteId, collection);
  const draft: FolderDraft = {
    folderId: null,
    path,
    name: nameOfPath(path),
    rules,
    existing: null,
    sweepEveryMs: null,
  };
  useDraft.setState({ ...CLOSED, draft, original: draft, place: 'sheet' });
  startCount();
  loadPreview(draft, 'sheet');
}

/** Opens the editor of a watched folder. Does nothing while another draft is open, because it would be lost. */
export function openFolderEditor({ id, root, name, rules, sweepEveryMs }: WatchedFolder): void {
  if (useDraft.getState().draft !== null) return;
  const draft: FolderDraft = {
    folderId: id,
    path: root,
    name,
    rules,
    existing: rules.existingFiles,
    sweepEveryMs,
  };
  const ruleId = rules.rules[0]?.id ?? DEFAULT_RULE_ID;
  useDraft.setState({ ...CLOSED, draft, original: draft, place: 'editor', ruleId });
  void findManifests(id);
  loadPreview(draft, 'editor');
}

/** Stores the rules that are being edited for the next session, as long as they differ from the saved rules. */
export function keepForNextSession(state: DraftState): void {
  const { draft, original, place, ruleId } = state;
  const isWorthKeeping = draft !== null && original !== null && place === 'editor' && isChanged(state);
  storeDraft(isWorthKeeping ? { draft, original, ruleId } : null);
}

/** Opens the editor with the unsaved rules of the last session. */
export function restoreDraft(folders: readonly WatchedFolder[]): void {
  const stored = storedDraft(folders);
  if (stored === null || useDraft.getState().draft !== null) return;
  useDraft.setState({ ...CLOSED, ...stored, place: 'editor' });
  if (stored.draft.folderId === null) startCount();
  else void findManifests(stored.draft.folderId);
  loadPreview(stored.draft, 'editor');
  notify(texts.restored(stored.draft.name));
}

/** Returns the last name of a path, or the path itself for the root of a drive. */
function nameOfPath(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}

const counts = latestOnly();
/** Saves that wait for the count of files. */
const waitingSaves = latestOnly();
let counting = Promise.resolve();

function startCount(): void {
  counting = countFiles();
}

/** Counts the files in the folder. The count also checks whether the folder can be watched. */
async function countFiles(): Promise<void> {
  const { draft } = useDraft.getState();
  if (draft === null) return;
  const request = counts.begin();
  try {
    const count = await call('watch.count', { path: draft.path });
    if (!request.isLatest()) return;
    useDraft.setState({ count, manifest: count.manifest ?? null, pathError: null });
    // The folder contains no files, so there is no choice about existing files.
    if (count.files === 0 && count.isAll) changeDraft({ existing: 'upload' });
  } catch (thrown) {
    if (request.isLatest()) useDraft.setState({ pathError: toErrorData(thrown) });
  }
}

/** Searches for spreadsheets in an existing watched folder. */
async function findManifests(folderId: string): Promise<void> {
  const request = counts.begin();
  try {
    const manifest = await call('watch.manifests', { folderId });
    if (request.isLatest()) useDraft.setState({ manifest });
  } catch (thrown) {
    if (request.isLatest()) useDraft.setState({ manifestError: toErrorData(thrown) });
  }
}

/** Changes the folder of the draft, for example after the engine refused a folder. */
export function choosePath(path: string): void {
  cancelWaitingSave();
  useDraft.setState({ count: null, manifest: null, manifestError: null, pathError: null });
  changeDraft({ path, name: nameOfPath(path), existing: null });
  startCount();
}

export function changeDraft(change: Partial<FolderDraft>): void {
  const { draft, place } = useDraft.getState();
  if (draft === null) return;
  const next = { ...draft, ...change };
  useDraft.setState({ draft: next, error: null });
  loadPreview(next, place);
}

export function changeRules(change: (rules: WatchRules) => WatchRules): void {
  const { draft } = useDraft.getState();
  if (draft !== null) changeDraft({ rules: change(draft.rules) });
}

export function selectRule(ruleId: string): void {
  useDraft.setState({ ruleId });
}

/** Adds a rule before the selected one and selects it. */
export function addRule(): void {
  const { draft, ruleId } = useDraft.getState();
  if (draft === null) return;
  const id = crypto.randomUUID();
  const rule = newRule(id, texts.newRule(draft.rules.rules.length + 1));
  changeRules((rules) => insertRule(rules, rule, ruleId));
  selectRule(id);
}

/** Continues with all rules and their preview. */
export function openRules(): void {
  const { draft } = useDraft.getState();
  if (draft === null) return;
  useDraft.setState({ place: 'editor', showsProblems: false });
  loadPreview(draft, 'editor');
}

/** Returns whether the draft differs from the saved rules. A new folder that has rules counts as changed. */
function isChanged({ draft, original }: Pick<DraftState, 'draft' | 'original'>): boolean {
  return draft !== null && JSON.stringify(draft) !== JSON.stringify(original);
}

/**
 * Closes the draft; asks first when changes would be lost. The short sheet for a new folder never asks, because it contains
 * little.
 */
export function closeDraft(): void {
  const state = useDraft.getState();
  if (state.isSaving) return;
  cancelWaitingSave();
  if (state.place === 'editor' && isChanged(state)) useDraft.setState({ isAskingToDiscard: true });
  else discardFolderDraft();
}

export function discardFolderDraft(): void {
  counts.cancel();
  cancelWaitingSave();
  closePreview();
  useDraft.setState(CLOSED);
}

export function keepDraft(): void {
  useDraft.setState({ isAskingToDiscard: false });
}

/** Returns the problems that prevent saving the draft, except problems that only the engine detects. */
export function draftProblemsOf({ rules, existing }: FolderDraft) {
  return draftProblems(rules, existing !== null);
}

/** What prevents saving: a problem of the draft, or the folder itself ('path'). */
export type SaveObstacle = DraftProblem | 'path';

/**
 * Saves the draft: adds the folder, or changes its rules. Returns what prevents this, for the focus and an announcement; null
 * when the draft was saved, is saved already, was closed, or was refused by the engine (`error`). When only the choice about
 * existing files is missing and the files are being counted, the save waits for the count: an empty folder needs no choice.
 */
export async function saveDraft(): Promise<SaveObstacle | null> {
  const { draft, isSaving, isAwaitingCount } = useDraft.getState();
  if (draft === null || isSaving || isAwaitingCount) return null;
  if (needsCount(useDraft.getState()) && !(await isCounted())) return null;
  const counted = useDraft.getState();
  if (counted.draft === null) return null;
  const [problem] = draftProblemsOf(counted.draft);
  const obstacle = counted.pathError !== null ? 'path' : (problem ?? null);
  if (obstacle === null) return await sendDraft(counted.draft);
  useDraft.setState({ showsProblems: true });
  if (problem !== undefined) selectRule(problem.ruleId);
  return obstacle;
}

/** Returns whether only the count of files, which is in flight, shows if the draft can be saved. */
function needsCount({ draft, count, pathError }: DraftState): boolean {
  if (draft === null || draft.folderId !== null || count !== null || pathError !== null) return false;
  const problems = draftProblemsOf(draft);
  return problems.length > 0 && problems.every(({ kind }) => kind === 'no-existing-choice');
}

/** Waits for the count of files. Returns false when the save was cancelled meanwhile. */
async function isCounted(): Promise<boolean> {
  const request = waitingSaves.begin();
  useDraft.setState({ isAwaitingCount: true });
  await counting;
  if (!request.isLatest()) return false;
  useDraft.setState({ isAwaitingCount: false });
  return true;
}

/** Cancels a save that waits for the count of files: another folder was chosen, or the draft is being closed. */
function cancelWaitingSave(): void {
  waitingSaves.cancel();
  useDraft.setState({ isAwaitingCount: false });
}

async function sendDraft(draft: FolderDraft): Promise<SaveObstacle | null> {
  const { folderId, path, sweepEveryMs, existing } = draft;
  const rules: WatchRules = { ...draft.rules, existingFiles: existing ?? 'upload' };
  useDraft.setState({ isSaving: true, error: null });
  try {
    const folder =
      folderId === null
        ? await call('watch.add', { path, rules, sweepEveryMs })
        : await call('watch.edit', { folderId, rules, sweepEveryMs });
    discardFolderDraft();
    takeFolder(folder);
    openFolder(folder.id);
    showFolderPane(true);
    notify(folderId === null ? texts.added(folder.name) : texts.saved(folder.name));
    return null;
  } catch (thrown) {
    return takeSaveError(toErrorData(thrown));
  }
}

/** Stores an error of a save. An error about the folder itself is shown at its path. */
function takeSaveError(error: AppErrorData): SaveObstacle | null {
  const isAboutPath = error.code.startsWith('watch.root-') || error.code === 'watch.nested';
  useDraft.setState({ isSaving: false, ...(isAboutPath ? { pathError: error } : { error }) });
  return isAboutPath ? 'path' : null;
}
