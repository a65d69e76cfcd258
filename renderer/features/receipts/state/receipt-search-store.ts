import { create } from 'zustand';
import type { ReceiptHits } from '../../../../shared/contract/uploads.ts';
import { delayed } from '../../../kit/async/delayed.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { createWindowedList } from '../../../kit/lists/windowed-list.ts';
import { announce } from '../../common/state/messages-store.ts';
import { texts } from './texts.ts';

export type ReceiptHit = ReceiptHits['rows'][number];

/** The text in the search box. The list is searched for it when the user stops typing. */
export const useReceiptSearch = create<{ text: string }>(() => ({ text: '' }));

/** The files of all receipts that match the search text. */
export const receiptHits = createWindowedList<string, ReceiptHit>({
  load: (text, window) => call('receipts.search', { text, ...window }),
  idOf: (hit) => hit.line.uploadId,
  onPage: ({ total }, isFirst) => {
    if (isFirst) announce(texts.found(total));
  },
  maxRange: 1_000,
});

const TYPING_MS = 180;

const search = delayed(() => {
  const text = useReceiptSearch.getState().text.trim();
  receiptHits.open(text === '' ? null : text);
}, TYPING_MS);

/** Searches files in all receipts when the typing pauses; an empty text ends the search. */
export function searchReceipts(text: string): void {
  useReceiptSearch.setState({ text });
  search.postpone();
}
