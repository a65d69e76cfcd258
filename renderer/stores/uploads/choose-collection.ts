import { create } from 'zustand';
import { call } from '../../bridge/bridge.ts';
import { attempt, notify } from '../app/messages-store.ts';
import { texts } from './texts.ts';

/** The batch that gets another collection, because its own one is not in the library. */
export const useChooseCollection = create<{ batch: { id: string; siteId: string; name: string } | null }>(() => ({
  batch: null,
}));

export function openChooseCollection(batch: { id: string; siteId: string; name: string } | null): void {
  useChooseCollection.setState({ batch });
}

/** Sends the failed uploads of the batch into another collection. */
export function chooseCollection(batchId: string, collectionId: string): Promise<void> {
  return attempt(async () => {
    const { changed } = await call('uploads.chooseCollection', { batchId, collectionRef: collectionId });
    notify(texts.collectionChosen(changed));
    openChooseCollection(null);
  });
}
