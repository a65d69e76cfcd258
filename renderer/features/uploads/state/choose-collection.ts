import { create } from 'zustand';
import { call } from '../../../kit/bridge/bridge.ts';
import { attempt, notify } from '../../common/state/messages-store.ts';
import { texts } from './texts.ts';

/** The batch for which the user chooses another collection, because its collection does not exist in the library. */
export const useChooseCollection = create<{ batch: { id: string; siteId: string; name: string } | null }>(() => ({
  batch: null,
}));

export function openChooseCollection(batch: { id: string; siteId: string; name: string } | null): void {
  useChooseCollection.setState({ batch });
}

/** Sends the failed uploads of the batch to another collection. */
export function chooseCollection(batchId: string, collectionId: string): Promise<void> {
  return attempt(async () => {
    const { changed } = await call('uploads.chooseCollection', { batchId, collectionRef: collectionId });
    notify(texts.collectionChosen(changed));
    openChooseCollection(null);
  });
}
