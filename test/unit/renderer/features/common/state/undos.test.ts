import { beforeEach, describe, expect, it } from 'vitest';
import { useMessages } from '../../../../../../renderer/features/common/state/messages-store.ts';
import { redoChange, undoChange, useRedos, useUndos } from '../../../../../../renderer/features/common/state/undos.ts';
import { renameCollection } from '../../../../../../renderer/features/library/state/collections/collection-commands.ts';
import { useTree } from '../../../../../../renderer/features/library/state/tree-store.ts';
import { clearUploads } from '../../../../../../renderer/features/uploads/state/cancel-uploads.ts';
import type { Collection } from '../../../../../../shared/api/collections.ts';
import { HeldBridge } from '../../../../../helpers/desktop/held-bridge.ts';

let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
  useMessages.setState({ announced: null, messages: [] });
  useUndos.setState({ undos: [] });
  useRedos.setState({ redos: [] });
  useTree.setState({ siteId: 's', rows: new Map() });
});

const messages = () => useMessages.getState().messages.map(({ text, nextStep }) => [text, nextStep]);

async function clear(): Promise<void> {
  const cleared = clearUploads({ kind: 'all' }, 'completed');
  await bridge.take('uploads.clear').answer({ changed: 2, undoId: 'x' });
  await cleared;
}

async function rename(before: string, after: string): Promise<void> {
  const detail = (name: string) => ({
    collection: { id: 'c', display_name: name } as Collection,
    viewUrl: null,
    groupId: 'g',
  });
  const renamed = renameCollection('c', after);
  await bridge.take('library.collectionDetail').answer(detail(before));
  await bridge.take('library.updateCollection').answer(detail(after));
  await renamed;
}

describe('an undo', () => {
  it('undoes the latest change first, whether uploads or collections were changed', async () => {
    await clear();
    await rename('Talks', 'Lectures');
    undoChange();
    const undo = bridge.take('edits.undo');
    expect(undo.input).toEqual({ groupId: 'g' });
    undoChange();
    expect(bridge.take('uploads.undoClear').input).toEqual({ undoId: 'x' });
    undoChange();
    expect(bridge.waiting).toEqual([]);
  });

  it('can be redone until something else is changed', async () => {
    await rename('Talks', 'Lectures');
    undoChange();
    await bridge.take('edits.undo').answer({ group: null, dropped: 1, restoring: 0, notUndoable: 0 });
    redoChange();
    expect(bridge.take('edits.redo').input).toEqual({ groupId: 'g' });
    redoChange();
    expect(bridge.waiting.filter((name) => name === 'edits.redo')).toEqual([]);
    await rename('Lectures', 'Seminars');
    undoChange();
    await bridge.take('edits.undo').answer({ group: null, dropped: 1, restoring: 0, notUndoable: 0 });
    await rename('Lectures', 'Courses');
    redoChange();
    expect(bridge.waiting.filter((name) => name === 'edits.redo')).toEqual([]);
  });

  it('of an edit loses its message to the next edit, and stays undoable; that of a cleared list keeps it', async () => {
    await clear();
    await rename('Talks', 'Lectures');
    await rename('Lectures', 'Seminars');
    const [cleared, renamed, ...others] = messages().map(([text]) => text);
    expect(others).toEqual([]);
    expect(cleared).toContain('2 uploads');
    expect(renamed).toContain('Seminars');
    expect(useUndos.getState().undos).toHaveLength(3);
  });

  it('of a cleared list names the receipt when it comes too late', async () => {
    await clear();
    undoChange();
    await bridge.take('uploads.undoClear').answer({ changed: 0 });
    expect(messages()).toEqual([
      ['It’s too late to undo this.', 'You can find these uploads in the receipt of their batch.'],
    ]);
  });
});
