import { beforeEach, expect, it } from 'vitest';
import { versionsOf } from '../../../../../../../renderer/features/library/state/files/playable.ts';
import { usePlayer } from '../../../../../../../renderer/features/library/state/files/player-store.ts';
import {
  previewRow,
  showFile,
  stepShown,
} from '../../../../../../../renderer/features/library/state/files/show-item.ts';
import { mediaList } from '../../../../../../../renderer/features/library/state/media-store.ts';
import { mediaFileSchema } from '../../../../../../../shared/api/files.ts';
import type { MediaRow } from '../../../../../../../shared/contract/library.ts';
import { HeldBridge } from '../../../../../../helpers/desktop/held-bridge.ts';

let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
});

const ENCODING = { source: 'encoding', encodings: null };
const audio = (id: string, encodings: string[] = []) => {
  const common = { source: 'upload', type: 'audio', status: 'complete', container: 'mp3', links: {} };
  return mediaFileSchema.parse({
    id,
    ...common,
    encodings: encodings.map((encoding) => ({ ...common, ...ENCODING, id: encoding })),
  });
};

/** Plays a version of an item with two originals, and returns which other original the player names. */
async function otherOriginal(fileId: string): Promise<string | null | undefined> {
  const files = [audio('1', ['11']), audio('2', ['21'])];
  const item = { siteId: 's', mediaId: '7', title: 'Talk', captions: [], files };
  const playable = files.flatMap(versionsOf).find(({ file }) => file.id === fileId);
  if (playable === undefined) throw new Error('no such version');
  await showFile(item, playable);
  const content = usePlayer.getState().shown?.content;
  return content?.kind === 'file' ? content.played.otherOriginalId : undefined;
}

it('the player names the original when “Play” of the item plays another one', async () => {
  expect(await otherOriginal('1')).toBeNull();
  expect(await otherOriginal('11')).toBeNull();
  expect(await otherOriginal('2')).toBe('2');
  expect(await otherOriginal('21')).toBe('2');
});

it('steps that are made while the next rows are read count, and none is counted twice', async () => {
  const rowsOf = ({ offset, limit }: { offset: number; limit: number }) =>
    Array.from({ length: limit }, (_, index) => {
      const id = String(offset + index);
      return { id, title: `Item ${id}`, status: 'draft' } as MediaRow;
    });
  const total = 1000;
  mediaList.open({
    siteId: 's',
    collectionId: null,
    search: '',
    type: null,
    status: null,
    ...({ sort: 'title', order: 'asc' } as const),
  });
  const first = bridge.take('library.mediaWindow');
  const rows = rowsOf(first.input);
  await first.answer({ total, offset: 0, rows });
  const last = rows.at(-1) as MediaRow;
  mediaList.select({ ids: new Set([last.id]), focus: rows.length - 1, anchor: rows.length - 1 });
  previewRow('s', last);
  const steps = [stepShown(1), stepShown(1), stepShown(1), stepShown(-1), stepShown(1)];
  const next = bridge.take('library.mediaWindow');
  await next.answer({ total, offset: next.input.offset, rows: rowsOf(next.input) });
  await Promise.all(steps);
  expect(usePlayer.getState().shown?.mediaId).toBe(String(rows.length + 2));
  await stepShown(-1);
  expect(usePlayer.getState().shown?.mediaId).toBe(String(rows.length + 1));
});
