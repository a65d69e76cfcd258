// The table of the values of queued uploads, when they can't all be saved, or are changed while they are saved.
import { beforeEach, describe, expect, it } from 'vitest';
import { useMessages } from '../../../../../../renderer/features/common/state/messages-store.ts';
import {
  changeDetails,
  openDetails,
  saveDetails,
  useDetails,
} from '../../../../../../renderer/features/uploads/state/details-store.ts';
import { appError } from '../../../../../../shared/contract/app-error.ts';
import type { UploadDetails } from '../../../../../../shared/contract/upload-files.ts';
import { setCell } from '../../../../../../shared/model/grid/grid-changes.ts';
import { changedRows } from '../../../../../../shared/model/grid/grid-model.ts';
import { MOST_LISTED_FILES } from '../../../../../../shared/model/preview-limit.ts';
import { HeldBridge } from '../../../../../helpers/desktop/held-bridge.ts';

const NAMES = ['a', 'b', 'c'];
const upload = (id: string): UploadDetails => ({
  id,
  siteId: 's',
  fileName: `${id}.mp4`,
  place: 'row',
  mediaId: null,
  fields: { title: id, byline: '', description: '', tags: [] },
});
const item = (id: string) => ({ id, siteId: 's', mediaId: `item-${id}` });
const unconfirmed = (id: string) => ({ id, error: appError('upload.item-unconfirmed').toData() });

let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
  useMessages.setState({ announced: null, messages: [] });
  useDetails.setState({ uploads: null, table: null, isSaving: false });
});

async function open(): Promise<void> {
  const opening = openDetails(NAMES);
  await bridge.take('uploads.details').answer(NAMES.map(upload));
  await opening;
}

function type(id: string, key: string, text: string): void {
  const { table } = useDetails.getState();
  if (table === null) throw new Error('The table is closed.');
  const column = table.columns.findIndex((each) => each.key === key);
  changeDetails(setCell(table, { row: NAMES.indexOf(id), column }, text));
}

/** Returns the changed rows of the table; null: the table is closed. */
const left = () => {
  const { table } = useDetails.getState();
  return table && Object.fromEntries(changedRows(table).map(({ id, cells }) => [id, cells]));
};
const noteOf = (id: string) => useDetails.getState().table?.rows[NAMES.indexOf(id)]?.cells.at(-1);
const shown = () => useMessages.getState().messages.map(({ text }) => text);

describe('the table of details', () => {
  it('closes when all its values are saved, also when the stored form differs from the typed text', async () => {
    await open();
    type('a', 'tags', 'one | two');
    type('b', 'title', '  Title ');
    const saving = saveDetails();
    const { input, answer } = bridge.take('uploads.describe');
    expect(input.changes[0]).toEqual({ id: 'a', fields: { tags: ['one', 'two'] } });
    await answer({ changed: 1, items: [item('b')], refused: [] });
    await bridge.take('library.updateMedia').answer({} as never);
    await saving;
    expect(left()).toBeNull();
    expect(shown()).toEqual(['Changed the details of 2 uploads.']);
  });

  it('stays open with the typed text when no row can be saved, and names the reason', async () => {
    await open();
    for (const id of ['a', 'b']) type(id, 'title', 'Mine');
    const saving = saveDetails();
    await bridge.take('uploads.describe').answer({ changed: 0, items: [], refused: ['a', 'b'].map(unconfirmed) });
    await saving;
    expect(useDetails.getState().isSaving).toBe(false);
    expect(left()).toEqual({ a: { title: 'Mine' }, b: { title: 'Mine' } });
    expect([noteOf('a'), noteOf('c')]).toEqual(['The library hasn’t confirmed its item yet.', '']);
    expect(shown()).toEqual(['The details of 2 uploads aren’t saved.']);
  });

  it('saves the other items when one fails, and then only the failed one again', async () => {
    await open();
    for (const id of NAMES) type(id, 'title', 'Mine');
    const saving = saveDetails();
    await bridge.take('uploads.describe').answer({ changed: 0, items: NAMES.map(item), refused: [] });
    await bridge.take('library.updateMedia').answer({} as never);
    await bridge.take('library.updateMedia').refuse('api.forbidden');
    await bridge.take('library.updateMedia').answer({} as never);
    await saving;
    expect(left()).toEqual({ b: { title: 'Mine' } });
    expect(noteOf('b')).toBe(`Not saved: ${appError('api.forbidden').message}`);
    expect(shown()).toEqual(['Changed the details of 2 uploads. 1 isn’t saved.']);

    const again = saveDetails();
    const { input, answer } = bridge.take('uploads.describe');
    expect(input.changes.map(({ id }) => id)).toEqual(['b']);
    await answer({ changed: 0, items: [item('b')], refused: [] });
    const update = bridge.take('library.updateMedia');
    expect(update.input).toMatchObject({ mediaId: 'item-b', expected: { title: 'b' } });
    await update.answer({} as never);
    await again;
    expect(left()).toBeNull();
  });

  it('stays open with cells that were changed while it was saved', async () => {
    await open();
    type('a', 'title', 'Mine');
    const saving = saveDetails();
    type('a', 'byline', 'Ada');
    type('c', 'title', 'Late');
    await bridge.take('uploads.describe').answer({ changed: 1, items: [], refused: [] });
    await saving;
    expect(left()).toEqual({ a: { byline: 'Ada' }, c: { title: 'Late' } });
    expect(useDetails.getState().isSaving).toBe(false);
  });

  it('reports why it does not open: for more uploads than it can list, and when none of them is left', async () => {
    await openDetails(Array.from({ length: MOST_LISTED_FILES + 1 }, (_, index) => `u${index}`));
    expect(bridge.waiting).toEqual([]);
    const opening = openDetails(['gone']);
    await bridge.take('uploads.details').answer([]);
    await opening;
    expect(left()).toBeNull();
    expect(shown()).toEqual([
      'You can edit the details of at most 20,000 uploads at a time.',
      'None of the selected uploads is left.',
    ]);
  });
});
