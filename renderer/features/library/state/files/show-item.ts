import type { MediaDetail, MediaRow } from '../../../../../shared/contract/library.ts';
import { delayed } from '../../../../kit/async/delayed.ts';
import { latestOnly } from '../../../../kit/async/latest-only.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { countSelected } from '../../../../kit/lists/selection.ts';
import { toErrorData } from '../../../../kit/text/errors.ts';
import { announce, attempt, warn } from '../../../common/state/messages-store.ts';
import { mediaList, placeInOpenList } from '../media-store.ts';
import { createSteps } from '../steps-in-list.ts';
import { texts } from '../texts.ts';
import { openingOf } from './opening.ts';
import { bestOf, type Playable, playableCaptions, versionsOf } from './playable.ts';
import { type Content, type ItemFiles, type Played, type Shown, usePlayer } from './player-store.ts';

/** Orders the reads for items that are opened: only the last one opens. */
const reads = latestOnly();

/** Opens an item in the way of its best file. Without such a file, a message says why. */
export function showItem({ siteId, mediaId }: Pick<Shown, 'siteId' | 'mediaId'>): Promise<void> {
  const read = reads.begin();
  return attempt(async () => {
    const detail = await call('library.media', { siteId, mediaId });
    if (!read.isLatest()) return;
    const opening = openingOf(detail);
    if (opening.kind === 'file') return showFile(filesOf(siteId, detail), opening.playable);
    const { text, nextStep } = texts.files.unopened[opening.why];
    warn(texts.files.notOpened(detail.item.title, text), nextStep);
  });
}

/** Shows a file in the player, in the window for documents, or in the browser. */
export function showFile(item: ItemFiles, playable: Playable): Promise<void> {
  const { siteId, mediaId, title } = item;
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
    const content = { kind: 'file', played: playedOf(item, playable) } as const;
    const { type } = playable.file;
    usePlayer.setState({ shown: { siteId, mediaId, title, type, modifiedOn: null, mode: 'player', content } });
  });
}

function filesOf(siteId: string, { item, files }: MediaDetail): ItemFiles {
  const captions = playableCaptions(files).map(({ id, display_name: name }) => ({ id, name }));
  return { siteId, mediaId: item.id, title: item.title, files, captions };
}

function playedOf({ files, ...item }: ItemFiles, playing: Playable): Played {
  const original = files.find((file) => [file, ...(file.encodings ?? [])].some(({ id }) => id === playing.file.id));
  const versions = original === undefined ? [playing] : versionsOf(original);
  const best = bestOf(files);
  const isBest = versions.some(({ file }) => file.id === best?.file.id);
  return { ...item, versions, playing, otherOriginalId: isBest ? null : (original ?? playing.file).id };
}

/** Returns what the player shows of an item. */
function contentOf(siteId: string, detail: MediaDetail): Content {
  const opening = openingOf(detail);
  if (opening.kind === 'none') return opening;
  const { playable } = opening;
  const item = filesOf(siteId, detail);
  const isOutside = playable.showing === 'document' || playable.showing === 'web';
  return isOutside ? { kind: 'outside', item, playable } : { kind: 'file', played: playedOf(item, playable) };
}

/** Opens the preview of a row of the list. */
export function previewRow(siteId: string, row: MediaRow): void {
  begin(siteId, row, 'preview');
  loading.runNow();
}

function begin(siteId: string, { id: mediaId, title, type, modifiedOn = null }: MediaRow, mode: Shown['mode']): void {
  reads.cancel();
  usePlayer.setState({ shown: { siteId, mediaId, title, type, modifiedOn, mode, content: { kind: 'loading' } } });
}

/** Steps that follow each other within this time read only the last item. */
const SETTLE_MS = 120;
const loading = delayed(() => void loadShown(), SETTLE_MS);

/** Reads the files of the shown item, and shows its best one or why there is none. */
export async function loadShown(): Promise<void> {
  const { shown } = usePlayer.getState();
  if (shown === null) return;
  const { siteId, mediaId } = shown;
  const read = reads.begin();
  /** Shows the outcome, unless another item was opened or the player was closed meanwhile. */
  const take = (change: Partial<Shown>) => {
    const now = usePlayer.getState().shown;
    if (read.isLatest() && now?.mediaId === mediaId) usePlayer.setState({ shown: { ...now, ...change } });
  };
  take({ content: { kind: 'loading' } });
  try {
    const detail = await call('library.media', { siteId, mediaId });
    take({ title: detail.item.title, type: detail.item.type, content: contentOf(siteId, detail) });
  } catch (thrown) {
    take({ content: { kind: 'failed', error: toErrorData(thrown) } });
  }
}

const stepFrom = createSteps();

/**
 * Shows the next item of the list (1) or the previous one (-1), in the order of the list; the list follows. At its ends, a message for
 * screen readers says so.
 */
export async function stepShown(by: 1 | -1): Promise<void> {
  const { shown } = usePlayer.getState();
  const place = shown === null ? null : placeInOpenList(shown.mediaId);
  if (shown === null || place === null) return;
  const index = await stepFrom(shown.mediaId, place, by);
  if (index === 'end') announce(by < 0 ? texts.files.isFirst : texts.files.isLast);
  const row = typeof index === 'number' ? mediaList.rowAt(index) : undefined;
  const now = usePlayer.getState().shown;
  if (typeof index !== 'number' || row === undefined || now?.mediaId !== shown.mediaId) return;
  selectShown(index, row.id);
  begin(shown.siteId, row, now.mode);
  loading.postpone();
  announce(texts.files.place(row.title, index + 1, place.total));
}

/** Makes a row the current one of the list. Several selected items stay selected. */
function selectShown(index: number, id: string): void {
  const { selection, total } = mediaList.useList.getState();
  const isSeveral = countSelected(selection, total ?? 0) > 1;
  mediaList.select(isSeveral ? { ...selection, focus: index } : { ids: new Set([id]), focus: index, anchor: index });
  mediaList.reveal(index);
}

/** Turns the preview into the player, or opens what it can't show itself. */
export function openPreviewed(): void {
  const { shown } = usePlayer.getState();
  if (shown?.mode !== 'preview') return;
  const { content } = shown;
  if (content.kind === 'file') usePlayer.setState({ shown: { ...shown, mode: 'player' } });
  if (content.kind === 'outside') {
    closePlayer();
    void showFile(content.item, content.playable);
  }
}

export function closePlayer(): void {
  loading.cancel();
  reads.cancel();
  usePlayer.setState({ shown: null });
}

/** Plays another version of the same recording. */
export function chooseVersion(fileId: string): void {
  const { shown } = usePlayer.getState();
  if (shown?.content.kind !== 'file') return;
  const { played } = shown.content;
  const playing = played.versions.find(({ file }) => file.id === fileId);
  if (playing === undefined) return;
  usePlayer.setState({ shown: { ...shown, content: { kind: 'file', played: { ...played, playing } } } });
}
