import { ChevronLeft, ChevronRight, Maximize2, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { modKey } from '../../../kit/bridge/bridge.ts';
import { IconButton } from '../../../kit/components/button.tsx';
import { Select } from '../../../kit/components/forms/select.tsx';
import { typeWord } from '../../../kit/text/states.ts';
import { chordText } from '../../common/commands/chords.ts';
import { focusMediaList } from '../focus.ts';
import { type Shown, usePlayer } from '../state/files/player-store.ts';
import { chooseVersion, closePlayer, openPreviewed, stepShown } from '../state/files/show-item.ts';
import { type ViewerCommand, viewerCommand } from '../state/files/viewer-keys.ts';
import { useMediaLayout } from '../state/media-columns.ts';
import { mediaList, placeInOpenList } from '../state/media-store.ts';
import type { ContentKeys } from './content-keys.ts';
import { fileFactTexts } from './file-words.tsx';
import { PictureView } from './picture.tsx';
import styles from './player.module.css';
import { PlayerCard } from './player-card.tsx';
import { Recording } from './recording.tsx';
import { texts } from './texts.ts';

/** The player: shows an item above the window, or previews it. There is one, which shows one item after the other. */
export function Player() {
  const mode = usePlayer((state) => state.shown?.mode ?? null);
  const isShown = mode !== null;
  const wasShown = useRef(false);
  useEffect(() => {
    const isClosed = wasShown.current && !isShown;
    wasShown.current = isShown;
    return isClosed ? returnFocus() : undefined;
  }, [isShown]);
  if (mode === null) return null;
  return (
    <ModalOverlay
      className={styles.veil ?? ''}
      isOpen
      isDismissable
      data-mode={mode}
      onOpenChange={(open) => {
        if (!open) closePlayer();
      }}
    >
      <Modal className={styles.modal ?? ''} data-mode={mode}>
        <Dialog className={styles.dialog ?? ''}>
          <Viewer />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** So many frames the overlay may take to give the focus back to where it was. */
const FRAMES = 10;

/** The player was closed: when the focus does not return by itself, the list gets it. Returns the function that ends the wait. */
function returnFocus(): () => void {
  let left = FRAMES;
  let frame = requestAnimationFrame(look);
  function look(): void {
    if (document.activeElement !== document.body) return;
    left -= 1;
    if (left === 0) focusMediaList();
    else frame = requestAnimationFrame(look);
  }
  return () => cancelAnimationFrame(frame);
}

const COMMANDS: Record<ViewerCommand, () => void> = {
  previous: () => void stepShown(-1),
  next: () => void stepShown(1),
  open: openPreviewed,
  close: closePlayer,
};

function Viewer() {
  const shown = usePlayer((state) => state.shown);
  const isGrid = useMediaLayout((state) => state.layout === 'grid');
  const [isZoomed, setZoomed] = useState(false);
  const keys: ContentKeys = useRef(null);
  const box = useRef<HTMLDivElement>(null);
  const mediaId = shown?.mediaId;
  // The player itself has the focus, not a button, whose tooltip would take the first Escape. It gets the focus back when a focused
  // control was a part of the previous item.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each item and each of its contents
  useEffect(() => {
    if (box.current?.contains(document.activeElement) !== true) box.current?.focus();
  }, [mediaId, shown?.content]);
  if (shown === null) return null;
  const { content, mode } = shown;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.nativeEvent.isComposing) return;
    // Menus and tooltips are children of the player in React only.
    if (!event.currentTarget.contains(event.target as Node)) return;
    const command = viewerCommand(
      { key: event.key, alt: event.altKey, mod: event.ctrlKey || event.metaKey, on: controlOf(event.target) },
      { mode, content: contentKind(shown), isGrid, isZoomed },
    );
    if (command === null) {
      keys.current?.(event);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    COMMANDS[command]();
  };
  // A button with a menu would open it for Alt and an arrow key, so these are handled before it gets them.
  const onAltKey = (event: KeyboardEvent) => {
    if (event.altKey) onKeyDown(event);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the player work wherever the focus is in it
    <div
      ref={box}
      className={styles.viewer}
      tabIndex={-1}
      data-focus-home
      onKeyDownCapture={onAltKey}
      onKeyDown={onKeyDown}
    >
      <Head shown={shown} />
      {content.kind !== 'file' ? (
        <PlayerCard shown={shown} />
      ) : content.played.playing.showing === 'image' ? (
        <PictureView key={content.played.playing.file.id} played={content.played} keys={keys} onZoom={setZoomed} />
      ) : (
        <Recording key={shown.mediaId} played={content.played} modifiedOn={shown.modifiedOn} keys={keys} />
      )}
    </div>
  );
}

function controlOf(target: EventTarget): 'button' | 'slider' | null {
  if (target instanceof HTMLInputElement) return 'slider';
  return (target as Element).closest('button, [role="menuitem"]') === null ? null : 'button';
}

function contentKind({ content }: Shown): 'recording' | 'image' | 'other' {
  if (content.kind !== 'file') return 'other';
  return content.played.playing.showing === 'image' ? 'image' : 'recording';
}

/** The facts about the shown file; without one, the type of the item. */
function factsOfShown({ content, type }: Shown): string[] {
  if (content.kind === 'file') return fileFactTexts(content.played.playing.file);
  return content.kind === 'outside' ? fileFactTexts(content.playable.file) : [typeWord(type)];
}

function Head({ shown }: { shown: Shown }) {
  const { content, mode, title } = shown;
  const played = content.kind === 'file' ? content.played : null;
  return (
    <header className={styles.head}>
      <div className={styles.headText}>
        <Heading slot="title" className={styles.title ?? ''}>
          {title || texts.player.untitled}
        </Heading>
        <p className={styles.facts}>{factsOfShown(shown).join(' · ')}</p>
      </div>
      {played === null || played.versions.length < 2 || mode === 'preview' ? null : (
        <Select
          label={texts.player.version}
          bare
          value={played.playing.file.id}
          options={played.versions.map(({ file }) => ({
            value: file.id,
            label: file.encoding_profile ?? (file.source === 'encoding' ? texts.encoding : texts.player.original),
            detail: fileFactTexts(file).slice(1).join(' · '),
          }))}
          onChange={chooseVersion}
        />
      )}
      <Steps mediaId={shown.mediaId} mode={mode} />
      {mode === 'preview' && played !== null ? (
        <IconButton label={texts.player.enlarge} keys={chordText('enter', modKey())} onPress={openPreviewed}>
          <Maximize2 size={16} />
        </IconButton>
      ) : null}
      <IconButton
        label={texts.player.close}
        keys={mode === 'preview' ? chordText('space', modKey()) : 'Esc'}
        onPress={closePlayer}
      >
        <X size={18} />
      </IconButton>
    </header>
  );
}

/** The place of the item in the list, and the buttons to the items beside it; nothing for an item that the list doesn’t show. */
function Steps({ mediaId, mode }: Pick<Shown, 'mediaId' | 'mode'>) {
  mediaList.useList((state) => state.version);
  mediaList.useList((state) => state.selection);
  const place = placeInOpenList(mediaId);
  if (place === null) return null;
  const { index, total } = place;
  const keysOf = (plain: string, chord: string) => chordText(mode === 'preview' ? plain : chord, modKey());
  return (
    <div className={styles.steps} role="toolbar" aria-label={texts.player.steps}>
      <span className={styles.place}>{texts.player.place(index, total)}</span>
      <IconButton
        label={texts.player.previous}
        keys={keysOf('arrowup', 'alt+arrowup')}
        isDisabled={index === 0}
        onPress={() => void stepShown(-1)}
      >
        <ChevronLeft size={18} />
      </IconButton>
      <IconButton
        label={texts.player.next}
        keys={keysOf('arrowdown', 'alt+arrowdown')}
        isDisabled={index === total - 1}
        onPress={() => void stepShown(1)}
      >
        <ChevronRight size={18} />
      </IconButton>
    </div>
  );
}
