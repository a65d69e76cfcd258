import { create } from 'zustand';
import type { MediaFile } from '../../../../../shared/api/files.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { attempt, warn } from '../../../common/state/messages-store.ts';
import { texts } from '../texts.ts';
import { bestOf, captionsOf, type Playable, versionsOf } from './playable.ts';

/** The file that the player shows. */
export interface Played {
  siteId: string;
  mediaId: string;
  title: string;
  /** All versions of the same original, the shown one among them. */
  versions: readonly Playable[];
  playing: Playable;
  captions: readonly { id: string; name: string }[];
}

/** `rate`, `volume` and `isMuted` also apply to the next files, until the program ends. */
interface PlayerState {
  played: Played | null;
  rate: number;
  /** 0 to 1. */
  volume: number;
  isMuted: boolean;
}

export const usePlayer = create<PlayerState>(() => ({ played: null, rate: 1, volume: 1, isMuted: false }));

interface ItemFiles {
  siteId: string;
  mediaId: string;
  title: string;
  files: readonly MediaFile[];
  captions: readonly { id: string; name: string }[];
}

/** Plays or shows the best file of an item. */
export function showItem({ siteId, mediaId }: Pick<ItemFiles, 'siteId' | 'mediaId'>): Promise<void> {
  return attempt(async () => {
    const { item, files } = await call('library.media', { siteId, mediaId });
    const best = bestOf(files);
    if (best === null) return warn(texts.files.nothingToShow, texts.files.nothingToShowNext);
    const captions = captionsOf(files).map(({ id, display_name: name }) => ({ id, name }));
    await showFile({ siteId, mediaId, title: item.title, files, captions }, best);
  });
}

/** Shows a file in the player, in a separate window, or in the browser. */
export function showFile(item: ItemFiles, playable: Playable): Promise<void> {
  const { siteId, mediaId, title, captions } = item;
  const ref = { siteId, mediaId, fileId: playable.file.id };
  return attempt(async () => {
    if (playable.showing === 'web') {
      const { url } = await call('files.webAddress', ref);
      await call('shell.openExternal', { url });
      return;
    }
    if (playable.showing === 'document') {
      // The window itself can't show why it stays empty.
      await call('files.check', { ...ref, kind: 'document' });
      await call('shell.showDocument', { ...ref, title });
      return;
    }
    const original = item.files.find((file) =>
      [file, ...(file.encodings ?? [])].some(({ id }) => id === playable.file.id),
    );
    const versions = original === undefined ? [playable] : versionsOf(original);
    usePlayer.setState({ played: { siteId, mediaId, title, versions, playing: playable, captions } });
  });
}

export function closePlayer(): void {
  usePlayer.setState({ played: null });
}

/** Plays another version of the same recording. */
export function chooseVersion(fileId: string): void {
  const { played } = usePlayer.getState();
  const playing = played?.versions.find(({ file }) => file.id === fileId);
  if (played === null || playing === undefined) return;
  usePlayer.setState({ played: { ...played, playing } });
}

export const RATES = [0.5, 0.75, 1, 1.25, 1.5, 2] as const;

export function setRate(rate: number): void {
  usePlayer.setState({ rate });
}

/** Chooses the next faster (1) or slower (-1) speed. */
export function stepRate(step: 1 | -1): void {
  const at = RATES.indexOf(usePlayer.getState().rate as (typeof RATES)[number]);
  setRate(RATES[Math.min(Math.max(0, at + step), RATES.length - 1)] ?? 1);
}

export function setVolume(volume: number): void {
  usePlayer.setState({ volume: Math.min(Math.max(0, volume), 1), isMuted: false });
}

export function setMuted(isMuted: boolean): void {
  usePlayer.setState({ isMuted });
}
