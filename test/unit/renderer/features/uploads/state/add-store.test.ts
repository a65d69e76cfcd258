// The sheet before adding, when answers arrive late, in another order, or after it was closed.
import { beforeEach, describe, expect, it } from 'vitest';
import { useMessages } from '../../../../../../renderer/features/common/state/messages-store.ts';
import {
  changeTable,
  chooseOptions,
  choosePairs,
  chooseSeries,
  chooseSidecars,
  chooseTarget,
  closeAddSheet,
  openAddSheet,
  seriesProblem,
  useAdd,
} from '../../../../../../renderer/features/uploads/state/add-store.ts';
import { addUploads } from '../../../../../../renderer/features/uploads/state/add-uploads.ts';
import { openTab, useOutline } from '../../../../../../renderer/features/uploads/state/outline/outline-store.ts';
import type { MediaFacts } from '../../../../../../shared/contract/media-facts.ts';
import type { ListedFile } from '../../../../../../shared/contract/upload-files.ts';
import { type AddUploadsOutput, batchDefaultsSchema } from '../../../../../../shared/contract/uploads.ts';
import { setCell } from '../../../../../../shared/model/grid/grid-changes.ts';
import { listedFile } from '../../../../../helpers/data/listed-files.ts';
import { HeldBridge } from '../../../../../helpers/desktop/held-bridge.ts';

let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
  useMessages.setState({ announced: null, messages: [] });
});

describe('the sheet before adding', () => {
  const defaults = batchDefaultsSchema.parse({});
  const added = (change: Partial<AddUploadsOutput> = {}): AddUploadsOutput => ({
    batchId: 'b',
    added: 1,
    addedBytes: 1,
    skipped: [],
    skippedCount: 0,
    sidecars: 0,
    fallbackTitles: 0,
    ...change,
  });
  const preview = { files: 1, bytes: 1, skipped: 0, likelyDuplicates: 1, sidecars: 0, isAll: true, firstNames: [] };

  beforeEach(() => {
    useAdd.setState({ isAdding: false });
    closeAddSheet();
    openAddSheet('s', 'c', ['/one']);
  });

  it('closes and returns true when all files were added', async () => {
    const adding = addUploads(defaults);
    await bridge.take('uploads.add').answer(added());
    expect(await adding).toBe(true);
    expect(useAdd.getState()).toMatchObject({ paths: null, isAdding: false });
  });

  it.each(['complete', 'all', 'waiting'] as const)(
    'shows the batch of the added files, expanded, when they are added from the tab “%s”',
    async (tab) => {
      openTab(tab);
      const adding = addUploads(defaults);
      await bridge.take('uploads.add').answer(added());
      await adding;
      expect(useOutline.getState()).toMatchObject({ tab: 'all', revealed: 'b' });
      expect(useOutline.getState().choices.get('all/b')).toBe(true);
    },
  );

  it('stays open until the files are added, so that the result is visible', async () => {
    const adding = addUploads(defaults);
    closeAddSheet();
    expect(useAdd.getState().paths).toEqual(['/one']);
    await bridge.take('uploads.add').answer(added({ skippedCount: 1 }));
    expect(await adding).toBe(false);
    expect(useAdd.getState().result?.skippedCount).toBe(1);
    closeAddSheet();
    expect(useAdd.getState().paths).toBeNull();
  });

  it('keeps its state when an answer belongs to an earlier sheet', async () => {
    const first = addUploads(defaults);
    const answer = bridge.take('uploads.add');
    openAddSheet('s', 'c', ['/two']);
    await answer.answer(added());
    expect(await first).toBe(false);
    expect(useAdd.getState()).toMatchObject({ paths: ['/two'], isAdding: false, result: null });

    const second = addUploads(defaults);
    const refusal = bridge.take('uploads.add');
    openAddSheet('s', 'c', ['/three']);
    await refusal.refuse('file.missing');
    await second;
    expect(useAdd.getState()).toMatchObject({ paths: ['/three'], isAdding: false, error: null });
    expect(useMessages.getState().messages).toHaveLength(1);
  });

  it('ends the count in flight when it closes or a choice changes', async () => {
    const ends = () => bridge.waiting.filter((name) => name === 'uploads.endPreview').length;
    const before = ends();
    chooseTarget('d');
    expect(ends()).toBe(before + 1);
    // The order matters: the earlier count is ended, not the new one.
    expect(bridge.waiting.slice(-2)).toEqual(['uploads.endPreview', 'uploads.preview']);
    closeAddSheet();
    expect(ends()).toBe(before + 2);
    closeAddSheet();
    expect(ends()).toBe(before + 2);
  });

  it('marks its counts as outdated while it counts again', async () => {
    expect(useAdd.getState()).toMatchObject({ preview: null, isCounting: true });
    await bridge.take('uploads.preview').answer(preview);
    expect(useAdd.getState()).toMatchObject({ preview, isCounting: false });
    chooseTarget('d');
    expect(useAdd.getState()).toMatchObject({ preview, isCounting: true });
    await bridge.take('uploads.preview').refuse('file.missing');
    expect(useAdd.getState().isCounting).toBe(false);
  });

  it('keeps the counts of the last choice when the answer to an earlier one arrives last', async () => {
    chooseTarget('d');
    const [earlier, later] = [bridge.take('uploads.preview'), bridge.take('uploads.preview')];
    await later.answer({ ...preview, files: 2 });
    await earlier.answer(preview);
    expect(useAdd.getState()).toMatchObject({ preview: { files: 2 }, isCounting: false });
  });

  describe('when the list was made for other choices', () => {
    const file = (path: string, change: Partial<ListedFile> = {}) => listedFile(path, { date: null, ...change });
    const listed = (...files: ListedFile[]) => ({ ...preview, files: files.length, list: { files, isAll: true } });
    const withCaptions = listed(file('/a.mp4', { sidecars: ['a.vtt'] }), file('/b.mp4'));
    const rename = (row: number, title: string) => {
      const { table } = useAdd.getState();
      if (table === null) throw new Error('no table');
      const column = table.columns.findIndex(({ key }) => key === 'title');
      changeTable(setCell(table, { row, column }, title));
    };
    /** Adds the files of the sheet. Returns what was sent. */
    const sent = async () => {
      const adding = addUploads(defaults);
      const { input, answer } = bridge.take('uploads.add');
      await answer(added());
      await adding;
      return { files: input.files, addsOthers: input.addsOthers };
    };
    const changed = { path: '/b.mp4', fields: { title: 'Mine' } };

    beforeEach(async () => {
      await bridge.take('uploads.preview').answer(withCaptions);
      rename(1, 'Mine');
    });

    it('adds every file that is found, with the user’s changes, while the new count is in flight', async () => {
      chooseSidecars(false);
      expect(await sent()).toEqual({ files: [changed], addsOthers: true });
    });

    it('adds every file that is found, with the user’s changes, after the new count failed', async () => {
      chooseSidecars(false);
      await bridge.take('uploads.preview').refuse('file.missing');
      expect(await sent()).toEqual({ files: [changed], addsOthers: true });
    });

    it('adds only listed files while another collection is counted, because the files are the same', async () => {
      chooseTarget('d');
      expect(await sent()).toEqual({ files: [{ path: '/a.mp4' }, changed], addsOthers: false });
    });

    it('adds files that the user no longer excludes, before they are listed', async () => {
      choosePairs(new Map([['/c.vtt', { kind: 'left-out' }]]));
      await bridge.take('uploads.preview').answer(withCaptions);
      choosePairs(new Map([['/c.vtt', null]]));
      expect(await sent()).toEqual({ files: [changed], addsOthers: true });
    });
  });

  describe('with publish times one after another', () => {
    const listed = (isAll = true) => {
      const files = [listedFile('/a.mp4'), listedFile('/b.mp4')];
      return { ...preview, files: isAll ? 2 : 25_000, list: { files, isAll } };
    };
    const series = {
      first: '2035-10-24T18:00',
      timeZone: 'UTC',
      interval: { unit: 'day' as const, count: 1 },
      skipped: [],
    };
    const times = () => [...(useAdd.getState().times?.times ?? [])].map(([path, { at }]) => [path, at]);
    const at = (day: number) => Date.UTC(2035, 9, day, 18);

    it('has the times of the files that the user did not omit, and sends them', async () => {
      await bridge.take('uploads.preview').answer(listed());
      chooseSeries(series);
      expect(times()).toEqual([
        ['/a.mp4', at(24)],
        ['/b.mp4', at(25)],
      ]);
      const { table } = useAdd.getState();
      if (table === null) throw new Error('no table');
      changeTable(setCell(table, { row: 0, column: table.columns.findIndex(({ key }) => key === 'add') }, 'no'));
      expect(times()).toEqual([['/b.mp4', at(24)]]);
      expect(seriesProblem()).toBeNull();
      void addUploads(defaults);
      expect(bridge.take('uploads.add').input).toMatchObject({
        files: [
          { path: '/a.mp4', isExcluded: true },
          { path: '/b.mp4', publish: { kind: 'at', at: '2035-10-24T18:00:00Z' } },
        ],
        addsOthers: false,
      });
      chooseSeries(null);
      expect(useAdd.getState().times).toBeNull();
    });

    it('has a problem while the files are counted for other choices, and after that failed', async () => {
      await bridge.take('uploads.preview').answer(listed());
      chooseSeries(series);
      chooseSidecars(false);
      expect(seriesProblem()).toMatch(/^Not all files are listed yet/);
      await bridge.take('uploads.preview').refuse('file.missing');
      expect(seriesProblem()).toMatch(/^Not all files are listed yet/);
      chooseSidecars(true);
      await bridge.take('uploads.preview').answer(listed());
      expect(seriesProblem()).toBeNull();
    });

    it('has a problem when the list does not contain all files', async () => {
      await bridge.take('uploads.preview').answer(listed(false));
      chooseSeries(series);
      expect(seriesProblem()).toBe('25,000 files are too many: at most 1,000 can be published one after another.');
    });
  });

  it('keeps its state when it is opened again for the same paths and an answer to the first one arrives', async () => {
    const paths = ['/same'];
    openAddSheet('s', 'c', paths);
    const adding = addUploads(defaults);
    openAddSheet('s', 'c', paths);
    await bridge.take('uploads.add').answer(added());
    expect(await adding).toBe(false);
    expect(useAdd.getState()).toMatchObject({ paths: ['/same'], result: null });
  });

  describe('with a title template that needs values from inside the files', () => {
    const facts = (path: string, title: string): MediaFacts => ({
      path,
      changed: null,
      recorded: null,
      mediaTags: { title },
      problem: null,
    });
    const listed = (count: number) => {
      const files = Array.from({ length: count }, (_, index) => listedFile(`/${index}.wav`));
      return { ...preview, files: count, list: { files, isAll: true } };
    };
    const titles = () => {
      const { table } = useAdd.getState();
      const column = table?.columns.findIndex(({ key }) => key === 'title') ?? -1;
      return table?.rows.map(({ cells }) => cells[column]);
    };
    const reads = () => bridge.waiting.filter((name) => name === 'mediaFacts.read').length;

    it('reads them in parts, shows each title, and reads nothing twice when the files are counted again', async () => {
      await bridge.take('uploads.preview').answer(listed(60));
      expect(reads()).toBe(0);
      chooseOptions({ titleTemplate: '{tag.title}' });
      const first = bridge.take('mediaFacts.read');
      expect(first.input.paths).toHaveLength(50);
      // Below what the user added, no link is followed.
      expect(first.input.roots).toEqual(['/one']);
      await first.answer(first.input.paths.map((path) => facts(path, `T${path}`)));
      expect(titles()?.slice(49, 51)).toEqual(['T/49.wav', '50']);
      chooseTarget('d');
      const rest = bridge.take('mediaFacts.read');
      expect(rest.input.paths).toEqual(
        listed(60)
          .list.files.slice(50)
          .map(({ path }) => path),
      );
      await bridge.take('uploads.preview').answer(listed(60));
      // The list is new: the read of the old list ends, and its results so far are kept.
      const again = bridge.take('mediaFacts.read');
      expect(again.input.paths).toEqual(rest.input.paths);
      await again.answer(again.input.paths.map((path) => facts(path, `T${path}`)));
      expect(titles()?.every((title) => title?.startsWith('T/'))).toBe(true);
      expect(reads()).toBe(0);
    });

    it('ends the read when the sheet is closed, and shows why the files can’t be read', async () => {
      await bridge.take('uploads.preview').answer(listed(1));
      chooseOptions({ titleTemplate: '{tag.title}' });
      await bridge.take('mediaFacts.read').refuse('internal');
      expect(useAdd.getState().contentsError?.code).toBe('internal');
      chooseOptions({ titleTemplate: '{name}' });
      chooseOptions({ titleTemplate: '{recorded}' });
      expect(reads()).toBe(1);
      closeAddSheet();
      expect(bridge.waiting).toContain('mediaFacts.end');
    });

    it('reports after the addition how many titles are file names', async () => {
      const adding = addUploads(defaults);
      await bridge.take('uploads.add').answer(added({ fallbackTitles: 1 }));
      await adding;
      expect(useMessages.getState().announced?.sentence).toContain('1 title is the file name');
    });
  });
});
