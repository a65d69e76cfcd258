import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { usePlayer } from '../state/files/player-store.ts';

/** The state of a media element that the bar shows. */
export interface MediaState {
  isPlaying: boolean;
  isWaiting: boolean;
  /** Seconds. */
  time: number;
  /** The length in seconds; 0 while it is unknown. */
  duration: number;
  /** Set when the media can't be played. `reason`: the error of the engine; null when only the element can't play it. */
  failure: { reason: AppErrorData | null } | null;
}

const FRESH: MediaState = { isPlaying: false, isWaiting: true, time: 0, duration: 0, failure: null };
/** The most reloads in a row in which less than a second is played. */
const MAX_RELOADS = 3;

interface MediaElementOptions {
  /** The address of the file. A change of it keeps the position. */
  address: string;
  /** Returns the reason why the engine can't read the file; null when it can. */
  explain: () => Promise<AppErrorData | null>;
}

/**
 * Connects a media element with the bar. When the element reports a broken load, for example after a long pause or a sleep of the
 * computer, it loads the file again and continues at the same second.
 */
export function useMediaElement(element: RefObject<HTMLMediaElement | null>, options: MediaElementOptions) {
  const { address, explain } = options;
  const [state, setState] = useState<MediaState>(FRESH);
  /** The position to continue at after a load, whether to play then, and the number of reloads since a second was played. */
  const resume = useRef({ at: 0, plays: true, reloads: 0 });
  const loads = useRef(0);
  const explainNow = useRef(explain);
  explainNow.current = explain;

  const load = useCallback(() => {
    const media = element.current;
    if (media === null) return;
    setState((before) => ({ ...before, isWaiting: true, failure: null }));
    // Each load has another address, because Chromium reuses its data of the same address, even of a failed load.
    loads.current += 1;
    media.src = `${address}?${loads.current}`;
    media.load();
  }, [element, address]);

  useEffect(() => {
    const media = element.current;
    if (media === null) return;
    const update = (change: Partial<MediaState>) => setState((before) => ({ ...before, ...change }));
    const onError = async () => {
      const { at, plays, reloads } = resume.current;
      const canReload = media.error?.code !== MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED && reloads < MAX_RELOADS;
      if (canReload) {
        resume.current = { at, plays, reloads: reloads + 1 };
        load();
        return;
      }
      const reason = await explainNow.current();
      update({ isPlaying: false, isWaiting: false, failure: { reason } });
    };
    const listeners: Record<string, () => void> = {
      loadedmetadata() {
        const { at, plays } = resume.current;
        const { rate, volume, isMuted } = usePlayer.getState();
        Object.assign(media, { playbackRate: rate, defaultPlaybackRate: rate, volume, muted: isMuted });
        if (at > 0) media.currentTime = at;
        update({ duration: Number.isFinite(media.duration) ? media.duration : 0 });
        if (plays) void media.play().catch(() => update({ isPlaying: false, isWaiting: false }));
      },
      durationchange: () => update({ duration: Number.isFinite(media.duration) ? media.duration : 0 }),
      timeupdate() {
        if (media.readyState === 0) return;
        if (Math.abs(media.currentTime - resume.current.at) >= 1) resume.current.reloads = 0;
        resume.current.at = media.currentTime;
        update({ time: media.currentTime });
      },
      seeking: () => update({ time: media.currentTime }),
      play() {
        resume.current.plays = true;
        update({ isPlaying: true });
      },
      pause() {
        // A reload pauses the element, too.
        if (media.error === null && media.readyState > 0) resume.current.plays = false;
        update({ isPlaying: false });
      },
      waiting: () => update({ isWaiting: true }),
      playing: () => update({ isWaiting: false }),
      canplay: () => update({ isWaiting: false }),
      error: () => void onError(),
    };
    for (const [name, listener] of Object.entries(listeners)) media.addEventListener(name, listener);
    load();
    return () => {
      for (const [name, listener] of Object.entries(listeners)) media.removeEventListener(name, listener);
      // Without this, the element would keep its connection open.
      media.removeAttribute('src');
      media.load();
    };
  }, [element, load]);

  return {
    state,
    /** The position in seconds at this moment; `state` gets it a few times per second. */
    now: () => element.current?.currentTime ?? 0,
    retry() {
      resume.current = { ...resume.current, plays: true, reloads: 0 };
      load();
    },
    toggle() {
      const media = element.current;
      if (media === null) return;
      if (media.paused) void media.play().catch(() => undefined);
      else media.pause();
    },
    seek(seconds: number) {
      const media = element.current;
      if (media === null || media.readyState === 0) return;
      const end = Number.isFinite(media.duration) ? media.duration : seconds;
      media.currentTime = Math.min(Math.max(0, seconds), end);
    },
  };
}

export type MediaControls = ReturnType<typeof useMediaElement>;
