import { ImagePlus, Maximize, Minimize, TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { contentAddress } from '../../../../shared/contract/content-address.ts';
import { readCaptionName } from '../../../../shared/model/caption-name.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { Button, IconButton } from '../../../kit/components/button.tsx';
import { toErrorData } from '../../../kit/text/errors.ts';
import { attempt } from '../../common/state/messages-store.ts';
import { Thumbnail } from '../media/thumbnail.tsx';
import { openFileDialog } from '../state/files/file-commands.ts';
import { frameOf } from '../state/files/picture.ts';
import {
  captionsToShow,
  chooseCaptions,
  type Played,
  setMuted,
  setVolume,
  stepRate,
  usePlayer,
} from '../state/files/player-store.ts';
import type { ContentKeys } from './content-keys.ts';
import { captionsLabel } from './file-words.tsx';
import styles from './player.module.css';
import { PlayerBar } from './player-bar.tsx';
import { texts } from './texts.ts';
import { useItemWaveform } from './use-item-waveform.ts';
import { useMediaElement } from './use-media-element.ts';

/** The digits jump to tenths of the recording. */
const TENTHS = Array.from({ length: 10 }, (_, tenth) => tenth);

interface RecordingProps {
  played: Played;
  /** `modified_on` of the item; null when unknown. */
  modifiedOn: string | null;
  keys: ContentKeys;
}

/** A recording with its bar. */
export function Recording({ played, modifiedOn, keys }: RecordingProps) {
  const { siteId, mediaId, playing } = played;
  const ref = { siteId, mediaId, fileId: playing.file.id };
  const element = useRef<HTMLVideoElement>(null);
  const controls = useMediaElement(element, {
    address: contentAddress({ kind: 'media', ...ref }),
    explain: () =>
      call('files.check', { kind: 'media', ...ref }).then(
        () => null,
        (thrown) => toErrorData(thrown),
      ),
  });
  const { rate, volume, isMuted, captions: choice } = usePlayer();
  useEffect(() => {
    if (element.current !== null) Object.assign(element.current, { playbackRate: rate, volume, muted: isMuted });
  }, [rate, volume, isMuted]);

  const captions = useMemo(
    () =>
      played.captions.map(({ id, name }) => ({
        id,
        label: captionsLabel(name),
        language: readCaptionName(name).language,
      })),
    [played.captions],
  );
  /** The captions chosen for this recording: it can have several in one language. */
  const [chosen, setChosen] = useState<string | null>(null);
  const ofChoice = choice.isOn ? (captions.find(({ id }) => id === chosen) ?? captionsToShow(captions, choice)) : null;
  const shownCaptions = ofChoice?.id ?? null;
  const showCaptions = (id: string | null) => {
    setChosen(id);
    chooseCaptions(id === null ? null : (captions.find((each) => each.id === id) ?? { language: null }));
  };
  useEffect(() => {
    const tracks = element.current?.textTracks;
    if (tracks === undefined) return;
    const apply = () => {
      for (const track of tracks) {
        const mode = track.id === `captions-${shownCaptions}` ? 'showing' : 'disabled';
        if (track.mode !== mode) track.mode = mode;
      }
    };
    apply();
    // Chromium also shows captions by itself when it has loaded a recording: those in the language of the system.
    tracks.addEventListener('change', apply);
    return () => tracks.removeEventListener('change', apply);
  }, [shownCaptions]);

  const waveform = useItemWaveform(played, modifiedOn ?? '');
  const { state, toggle, seek, retry } = controls;
  const { isFull, toggle: toggleFull, leave } = useFullScreen();
  const isVideo = playing.showing === 'video';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isButton = (event.target as HTMLElement).closest('button, [role="menuitem"]') !== null;
    const isSlider = event.target instanceof HTMLInputElement;
    if (isButton && (event.key === ' ' || event.key === 'Enter')) return;
    if (isSlider && /^(?:Arrow|Page|Home|End)/.test(event.key)) return;
    const actions: Record<string, () => void> = {
      ...(isVideo ? { f: toggleFull } : {}),
      // The first Escape leaves the full screen, the second one closes the player. The document is asked: the event that updates
      // `isFull` follows a frame later, and a key can come before it.
      ...(isFullNow() ? { Escape: leave } : {}),
      ' ': toggle,
      k: toggle,
      j: () => seek(state.time - 10),
      l: () => seek(state.time + 10),
      ArrowLeft: () => seek(state.time - 5),
      ArrowRight: () => seek(state.time + 5),
      ArrowUp: () => setVolume(volume + 0.05),
      ArrowDown: () => setVolume(volume - 0.05),
      Home: () => seek(0),
      End: () => seek(state.duration),
      // 5: the middle.
      ...Object.fromEntries(TENTHS.map((tenth) => [String(tenth), () => seek((state.duration * tenth) / 10)])),
      m: () => setMuted(!isMuted),
      c: () => chooseCaptions(shownCaptions === null ? { language: null } : null),
      '<': () => stepRate(-1),
      '>': () => stepRate(1),
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (action === undefined) return;
    event.preventDefault();
    if (event.key === 'Escape') event.stopPropagation();
    action();
  };
  useEffect(() => {
    keys.current = onKeyDown;
    return () => {
      keys.current = null;
    };
  });

  const takeFrame = async () => {
    const video = element.current;
    if (video === null || video.videoWidth === 0) return;
    openFileDialog({ kind: 'thumbnail', item: { siteId, mediaId }, frame: await frameOf(video) });
  };

  return (
    <div className={styles.recording}>
      <div className={styles.stage}>
        {/* biome-ignore lint/a11y/useMediaCaption: captions are tracks when the item has them */}
        <video
          ref={element}
          className={isVideo ? styles.video : styles.hidden}
          aria-label={texts.player.video(played.title)}
          playsInline
          preload="metadata"
          onClick={toggle}
          onDoubleClick={toggleFull}
        >
          {captions.map(({ id, label, language }) => (
            <track
              key={id}
              id={`captions-${id}`}
              kind="captions"
              src={contentAddress({ kind: 'captions', siteId, mediaId, fileId: id })}
              label={label}
              {...(language === null ? {} : { srcLang: language })}
              default={id === shownCaptions}
            />
          ))}
        </video>
        {playing.showing === 'audio' && state.failure === null ? (
          <div className={styles.thumbnail} data-type="audio">
            <Thumbnail siteId={siteId} row={{ id: mediaId, type: 'audio', modifiedOn }} iconSize={64} />
          </div>
        ) : null}
        {state.failure === null ? null : (
          <div className={styles.failure} role="alert">
            <TriangleAlert size={22} aria-hidden />
            <strong>{texts.player.failed}</strong>
            <span>{state.failure.reason?.message ?? texts.player.failedHere}</span>
            {state.failure.reason?.nextStep ? <span>{state.failure.reason.nextStep}</span> : null}
            <Button onPress={retry}>{texts.player.retry}</Button>
          </div>
        )}
        {state.isWaiting && state.failure === null ? (
          <span className={styles.waiting} role="status">
            {texts.player.loading}
          </span>
        ) : null}
      </div>
      <PlayerBar
        controls={controls}
        captions={captions}
        shownCaptions={shownCaptions}
        onCaptions={showCaptions}
        waveform={waveform}
        end={
          isVideo ? (
            <IconButton
              label={isFull ? texts.player.leaveFullScreen : texts.player.fullScreen}
              keys="F"
              onPress={toggleFull}
            >
              {isFull ? <Minimize size={17} /> : <Maximize size={17} />}
            </IconButton>
          ) : null
        }
      >
        {isVideo && state.duration > 0 ? (
          <IconButton label={texts.player.frame} onPress={() => void takeFrame()}>
            <ImagePlus size={17} />
          </IconButton>
        ) : null}
      </PlayerBar>
    </div>
  );
}

interface FullScreen {
  isFull: boolean;
  toggle: () => void;
  leave: () => void;
}

const isFullNow = () => document.fullscreenElement !== null;
const leave = () => void document.exitFullscreen();

/**
 * Shows the whole page in full screen, so that menus and messages, which are not part of the player, stay visible above it. Full
 * screen ends when the component is removed.
 */
function useFullScreen(): FullScreen {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const read = () => setFull(isFullNow());
    document.addEventListener('fullscreenchange', read);
    return () => {
      document.removeEventListener('fullscreenchange', read);
      if (isFullNow()) leave();
    };
  }, []);
  const enter = () => void attempt(() => document.documentElement.requestFullscreen());
  return { isFull, toggle: () => (isFullNow() ? leave() : enter()), leave };
}
