import { create } from 'zustand';
import type { MediaFile } from '../../../../../shared/api/files.ts';
import type { AppErrorData } from '../../../../../shared/contract/app-error.ts';
import type { MediaRef } from '../../../../../shared/contract/media-ref.ts';
import { preferences, savePreferences } from '../../../common/state/preferences.ts';
import type { Unopened } from './opening.ts';
import type { Playable } from './playable.ts';

interface Captions {
  id: string;
  name: string;
}

/** An item with its files. */
export interface ItemFiles extends MediaRef {
  title: string;
  files: readonly MediaFile[];
  captions: readonly Captions[];
}

/** The file that the player shows. */
export interface Played extends Omit<ItemFiles, 'files'> {
  /** All versions of the same original, the shown one among them. */
  versions: readonly Playable[];
  playing: Playable;
  /** The identifier of the original, if “Play” of the item plays another one; null: it plays this one. */
  otherOriginalId: string | null;
}

/** What the player shows of its item. `outside`: a document, or content of another website, which opens elsewhere. */
export type Content =
  | { kind: 'loading' }
  | { kind: 'file'; played: Played }
  | { kind: 'outside'; item: ItemFiles; playable: Playable }
  | { kind: 'none'; why: Unopened }
  | { kind: 'failed'; error: AppErrorData };

/** The open item. */
export interface Shown extends MediaRef {
  /** `preview`: a look at the current row of the list. */
  mode: 'player' | 'preview';
  title: string;
  /** For the thumbnail; null while they are unknown. */
  type: string | null;
  modifiedOn: string | null;
  content: Content;
}

/** Whether captions are shown, and the language that the user chose last; null before the first choice. */
export interface CaptionsChoice {
  isOn: boolean;
  language: string | null;
}

interface PlayerState {
  shown: Shown | null;
  /** The speed and the choice of captions apply to all files, also after a restart. */
  rate: number;
  captions: CaptionsChoice;
  /** Applies to the next files, until the program ends. 0 to 1. */
  volume: number;
  isMuted: boolean;
}

export const RATES = [0.5, 0.75, 1, 1.25, 1.5, 2] as const;

export const usePlayer = create<PlayerState>(() => ({
  shown: null,
  rate: RATES.find((rate) => rate === preferences().playbackRate) ?? 1,
  captions: preferences().captions,
  volume: 1,
  isMuted: false,
}));

export function setRate(rate: number): void {
  usePlayer.setState({ rate });
  savePreferences({ playbackRate: rate });
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

/** Turns captions off (null), or on in the language of the chosen ones; captions without a language keep the last one. */
export function chooseCaptions(chosen: { language: string | null } | null): void {
  const { language } = usePlayer.getState().captions;
  const captions = { isOn: chosen !== null, language: chosen?.language ?? language };
  usePlayer.setState({ captions });
  savePreferences({ captions });
}

/**
 * Returns the captions of a recording that the choice shows: those in the chosen language, then those in another form of it, such as
 * `pt-BR` for `pt`, then the first ones. null: none.
 */
export function captionsToShow<C extends { language: string | null }>(
  captions: readonly C[],
  { isOn, language }: CaptionsChoice,
): C | null {
  if (!isOn) return null;
  const primary = (tag: string | null) => tag?.split('-')[0]?.toLowerCase() ?? null;
  return (
    captions.find((each) => each.language !== null && each.language === language) ??
    captions.find((each) => each.language !== null && primary(each.language) === primary(language)) ??
    captions[0] ??
    null
  );
}
