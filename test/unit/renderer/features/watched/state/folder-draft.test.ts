// Adding a watched folder and editing its rules: late answers, refusals, unsaved changes.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  addRule,
  changeDraft,
  changeRules,
  choosePath,
  closeDraft,
  discardFolderDraft,
  keepForNextSession,
  openAddFolder,
  openFolderEditor,
  openRules,
  restoreDraft,
  saveDraft,
  useDraft,
} from '../../../../../../renderer/features/watched/state/folder-draft.ts';
import { changeDefaults, removeRule } from '../../../../../../renderer/features/watched/state/rules-draft.ts';
import { retryPreview, usePreview } from '../../../../../../renderer/features/watched/state/rules-preview.ts';
import { usableDraft } from '../../../../../../renderer/features/watched/state/stored-draft.ts';
import { useWatched } from '../../../../../../renderer/features/watched/state/watched-store.ts';
import type { CallOutput } from '../../../../../../shared/contract/contract.ts';
import { DEFAULT_RULE_ID } from '../../../../../../shared/model/watch/apply-rules.ts';
import { plainRules, watchedFolder } from '../../../../../helpers/data/watched-folders.ts';
import { HeldBridge } from '../../../../../helpers/desktop/held-bridge.ts';

let bridge: HeldBridge;
const OPTICS = { kind: 'id', id: 'c1', name: 'Optics' } as const;
const count = (files: number) => ({ files, bytes: files * 1000, isAll: true, isNetwork: false });
const nothing = { files: 0, bytes: 0 };
const preview = (files: number): CallOutput<'watch.preview'> => ({
  totals: { upload: { files, bytes: 0 }, wait: nothing, skip: nothing },
  isAll: true,
  files: [],
});

beforeEach(() => {
  discardFolderDraft();
  bridge = new HeldBridge();
  useWatched.setState({ folders: [], folderId: null });
});

describe('a new watched folder', () => {
  it('can’t be added before the choice about its existing files', async () => {
    openAddFolder('/rec/Lectures', 's', OPTICS);
    await bridge.take('watch.count').answer(count(412));
    expect(await saveDraft()).toMatchObject({ kind: 'no-existing-choice' });
    expect(useDraft.getState().showsProblems).toBe(true);
    expect(bridge.waiting).not.toContain('watch.add');
    changeDraft({ existing: 'skip' });
    const saving = saveDraft();
    const adding = bridge.take('watch.add');
    expect(adding.input).toMatchObject({ path: '/rec/Lectures', rules: { existingFiles: 'skip' } });
    await adding.answer(watchedFolder());
    expect(await saving).toBeNull();
    expect(useDraft.getState().draft).toBeNull();
    expect(useWatched.getState()).toMatchObject({ folderId: 'f1', isFolderOpen: true });
  });

  it('needs no choice when the folder is empty', async () => {
    openAddFolder('/rec/Lectures', 's', OPTICS);
    await bridge.take('watch.count').answer(count(0));
    void saveDraft();
    expect(bridge.waiting).toContain('watch.add');
  });

  it('is added once the count shows that it is empty, when it was saved before', async () => {
    openAddFolder('/rec/Lectures', 's', OPTICS);
    const saving = saveDraft();
    expect(useDraft.getState()).toMatchObject({ isAwaitingCount: true, showsProblems: false });
    expect(await saveDraft()).toBeNull();
    expect(bridge.waiting).not.toContain('watch.add');
    await bridge.take('watch.count').answer(count(0));
    await bridge.take('watch.add').answer(watchedFolder());
    expect(await saving).toBeNull();
    expect(useDraft.getState().draft).toBeNull();
  });

  it('that was saved before the count needs the choice when the count finds files', async () => {
    openAddFolder('/rec/Lectures', 's', OPTICS);
    const saving = saveDraft();
    await bridge.take('watch.count').answer(count(3));
    expect(await saving).toMatchObject({ kind: 'no-existing-choice' });
    expect(useDraft.getState()).toMatchObject({ isAwaitingCount: false, showsProblems: true });
    expect(bridge.waiting).not.toContain('watch.add');
  });

  it('that was saved before the count is not added when the count is refused', async () => {
    openAddFolder('/rec/Lectures', 's', OPTICS);
    const saving = saveDraft();
    await bridge.take('watch.count').refuse('watch.root-missing');
    expect(await saving).toBe('path');
    expect(useDraft.getState()).toMatchObject({ isAwaitingCount: false, pathError: { code: 'watch.root-missing' } });
    expect(bridge.waiting).not.toContain('watch.add');
  });

  it('does not wait for the count when another choice is missing', async () => {
    openAddFolder('/rec/Lectures', 's', null);
    expect(await saveDraft()).not.toBeNull();
    expect(useDraft.getState()).toMatchObject({ isAwaitingCount: false, showsProblems: true });
  });

  it('is not added when the sheet is closed, or another folder is chosen, while its save waits for the count', async () => {
    openAddFolder('/rec/One', 's', OPTICS);
    const first = saveDraft();
    closeDraft();
    expect(useDraft.getState().draft).toBeNull();
    await bridge.take('watch.count').answer(count(0));
    openAddFolder('/rec/Two', 's', OPTICS);
    const second = saveDraft();
    const ofTwo = bridge.take('watch.count');
    choosePath('/rec/Three');
    await ofTwo.answer(count(0));
    await bridge.take('watch.count').answer(count(0));
    expect(await Promise.all([first, second])).toEqual([null, null]);
    expect(bridge.waiting).not.toContain('watch.add');
    expect(useDraft.getState()).toMatchObject({ isAwaitingCount: false, draft: { path: '/rec/Three' } });
  });

  it('shows the count of the folder that was chosen last, whatever answer arrives last', async () => {
    openAddFolder('/rec/One', 's', OPTICS);
    const first = bridge.take('watch.count');
    choosePath('/rec/Two');
    await bridge.take('watch.count').answer(count(2));
    await first.answer(count(1));
    expect(useDraft.getState()).toMatchObject({ count: { files: 2 }, draft: { path: '/rec/Two', name: 'Two' } });
  });

  it('shows a refusal at the path, can’t be added, and recovers with another folder', async () => {
    openAddFolder('/rec/Lectures/2026', 's', OPTICS);
    await bridge.take('watch.count').refuse('watch.nested');
    changeDraft({ existing: 'skip' });
    expect(useDraft.getState().pathError?.code).toBe('watch.nested');
    expect(await saveDraft()).toBe('path');
    expect(bridge.waiting).not.toContain('watch.add');
    choosePath('/rec/Other');
    expect(useDraft.getState()).toMatchObject({ pathError: null, draft: { existing: null } });
  });

  it('keeps the draft with the error when the engine refuses it', async () => {
    openAddFolder('/rec/Lectures', 's', OPTICS);
    await bridge.take('watch.count').answer(count(0));
    const saving = saveDraft();
    await bridge.take('watch.add').refuse('watch.move-folder');
    expect(await saving).toBeNull();
    expect(useDraft.getState()).toMatchObject({ isSaving: false, error: { code: 'watch.move-folder' } });
    expect(useDraft.getState().draft).not.toBeNull();
  });

  it('is not replaced by another folder that is dropped while its sheet is open', () => {
    openAddFolder('/rec/One', 's', OPTICS);
    openAddFolder('/rec/Two', 's', OPTICS);
    openFolderEditor(watchedFolder());
    expect(useDraft.getState().draft?.path).toBe('/rec/One');
  });
});

describe('the editor of rules', () => {
  it('shows why the spreadsheets of the folder are not known', async () => {
    openFolderEditor(watchedFolder());
    await bridge.take('watch.manifests').refuse('watch.root-missing');
    expect(useDraft.getState()).toMatchObject({ manifest: null, manifestError: { code: 'watch.root-missing' } });
  });

  it('closes without a question while nothing is changed, also after a change was undone', () => {
    openFolderEditor(watchedFolder());
    addRule();
    const { ruleId } = useDraft.getState();
    changeRules((rules) => removeRule(rules, ruleId));
    closeDraft();
    expect(useDraft.getState()).toMatchObject({ draft: null, isAskingToDiscard: false });
  });

  it('asks before changes are lost', () => {
    openFolderEditor(watchedFolder());
    addRule();
    closeDraft();
    expect(useDraft.getState()).toMatchObject({ isAskingToDiscard: true });
    expect(useDraft.getState().draft).not.toBeNull();
  });

  it('asks before a new folder with choices is lost', () => {
    openAddFolder('/rec/One', 's', OPTICS);
    openRules();
    addRule();
    closeDraft();
    expect(useDraft.getState().isAskingToDiscard).toBe(true);
  });

  it('selects the rule with the first problem when it can’t be saved', async () => {
    openFolderEditor(watchedFolder());
    addRule();
    changeRules((rules) => changeDefaults(rules, { source: { kind: 'move', folder: '' } }));
    expect(await saveDraft()).toMatchObject({ ruleId: DEFAULT_RULE_ID, kind: 'no-folder' });
    expect(useDraft.getState()).toMatchObject({ ruleId: DEFAULT_RULE_ID, showsProblems: true });
  });
});

describe('the preview', () => {
  it('shows the answer to the latest rules, whatever answer arrives last', async () => {
    openFolderEditor(watchedFolder());
    retryPreview();
    const first = bridge.take('watch.preview');
    changeRules((rules) => changeDefaults(rules, { titleTemplate: '{clean}' }));
    retryPreview();
    await bridge.take('watch.preview').answer(preview(2));
    await first.answer(preview(1));
    expect(usePreview.getState()).toMatchObject({ isStale: false, preview: { totals: { upload: { files: 2 } } } });
  });

  it('keeps the earlier preview, marked as stale, while a rule can’t be used', async () => {
    openFolderEditor(watchedFolder());
    retryPreview();
    await bridge.take('watch.preview').answer(preview(3));
    changeRules((rules) => changeDefaults(rules, { titleTemplate: '{' }));
    retryPreview();
    expect(bridge.waiting).not.toContain('watch.preview');
    expect(usePreview.getState()).toMatchObject({ isStale: true, preview: { totals: { upload: { files: 3 } } } });
  });

  it('recovers from an error with the next answer', async () => {
    openFolderEditor(watchedFolder());
    retryPreview();
    await bridge.take('watch.preview').refuse('watch.root-unreadable');
    expect(usePreview.getState().error?.code).toBe('watch.root-unreadable');
    retryPreview();
    await bridge.take('watch.preview').answer(preview(1));
    expect(usePreview.getState()).toMatchObject({ error: null, isStale: false });
  });

  it('drops an answer that arrives after the editor was closed', async () => {
    openFolderEditor(watchedFolder());
    retryPreview();
    const late = bridge.take('watch.preview');
    closeDraft();
    await late.answer(preview(1));
    expect(usePreview.getState().preview).toBeNull();
  });
});

describe('unsaved rules', () => {
  beforeEach(() => {
    const items = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, text: string) => void items.set(key, text),
      removeItem: (key: string) => void items.delete(key),
    });
    return () => vi.unstubAllGlobals();
  });

  /** Edits a folder, and closes the window without an answer to any question. Returns the unsaved draft. */
  const editAndQuit = () => {
    openFolderEditor(watchedFolder());
    addRule();
    keepForNextSession(useDraft.getState());
    const { draft } = useDraft.getState();
    // A new page has no state.
    discardFolderDraft();
    return draft;
  };

  it('are open again in the next session', () => {
    const before = editAndQuit();
    restoreDraft([watchedFolder()]);
    expect(useDraft.getState()).toMatchObject({ draft: before, place: 'editor', isSaving: false });
    closeDraft();
    expect(useDraft.getState().isAskingToDiscard).toBe(true);
  });

  it('are removed when they are discarded, and not stored when nothing was changed', () => {
    editAndQuit();
    restoreDraft([watchedFolder()]);
    discardFolderDraft();
    keepForNextSession(useDraft.getState());
    restoreDraft([watchedFolder()]);
    expect(useDraft.getState().draft).toBeNull();
    openFolderEditor(watchedFolder());
    keepForNextSession(useDraft.getState());
    discardFolderDraft();
    restoreDraft([watchedFolder()]);
    expect(useDraft.getState().draft).toBeNull();
  });

  it('are not opened when their folder was removed, moved, or edited in another way since', () => {
    editAndQuit();
    const others = [
      [],
      [watchedFolder({ id: 'f2' })],
      [watchedFolder({ root: '/elsewhere' })],
      [watchedFolder({ rules: plainRules({ tags: ['edited'] }) })],
    ];
    for (const folders of others) {
      restoreDraft(folders);
      expect(useDraft.getState().draft).toBeNull();
    }
  });

  it('of another version, or damaged, are omitted', () => {
    for (const data of [null, 5, 'text', {}, { version: 0 }, { version: 1 }, { version: 1, draft: {} }]) {
      expect(usableDraft(data, [watchedFolder()])).toBeNull();
    }
  });
});
