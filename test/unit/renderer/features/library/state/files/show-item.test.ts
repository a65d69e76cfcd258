import { beforeEach, expect, it } from 'vitest';
import { versionsOf } from '../../../../../../../renderer/features/library/state/files/playable.ts';
import { usePlayer } from '../../../../../../../renderer/features/library/state/files/player-store.ts';
import { showFile } from '../../../../../../../renderer/features/library/state/files/show-item.ts';
import { mediaFileSchema } from '../../../../../../../shared/api/files.ts';
import { HeldBridge } from '../../../../../../helpers/desktop/held-bridge.ts';

beforeEach(() => {
  new HeldBridge();
});

const ENCODING = { source: 'encoding', encodings: null };
const audio = (id: string, encodings: string[] = []) => {
  const common = { source: 'upload', type: 'audio', status: 'complete', container: 'mp3', links: {} };
  return mediaFileSchema.parse({
    ...{ id, ...common },
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
