import { useEffect, useRef, useState } from 'react';
import { shownSeconds, type Waveform } from '../../../../shared/model/waveform/waveform.ts';
import { formatDuration } from '../../../kit/text/format.ts';
import { WaveformCanvas } from '../../../kit/waveform/waveform-canvas.tsx';
import type { KnownWaveform } from '../state/waveforms/waveform-store.ts';
import styles from './position.module.css';
import { texts } from './texts.ts';
import type { MediaControls } from './use-media-element.ts';
import { waveformFacts } from './waveform-text.ts';

interface PositionProps {
  controls: MediaControls;
  /** null: the position is a plain line. */
  waveform: KnownWaveform | null;
}

/** The position in a recording, as a slider: on its waveform, if it has one. */
export function Position({ controls, waveform }: PositionProps) {
  const [isDragged, setDragged] = useState(false);
  if (waveform === null || waveform.result.kind === 'none') {
    return (
      <>
        <Slider controls={controls} className={styles.line} />
        {waveform === null ? null : <Facts known={waveform} />}
      </>
    );
  }
  return (
    <>
      <div
        className={styles.waveform}
        onPointerDown={() => setDragged(true)}
        onPointerUp={() => setDragged(false)}
        onPointerCancel={() => setDragged(false)}
      >
        <Layers waveform={waveform.result} controls={controls} isDragged={isDragged} />
        <Slider controls={controls} className={styles.over} />
      </div>
      <Facts known={waveform} />
    </>
  );
}

function Slider({ controls, className }: { controls: MediaControls; className: string | undefined }) {
  const { state, seek } = controls;
  const { time, duration } = state;
  return (
    <input
      type="range"
      className={className}
      aria-label={texts.player.position}
      aria-valuetext={texts.player.positionText(formatDuration(time), formatDuration(duration))}
      min={0}
      max={Math.max(duration, 0.001)}
      step="any"
      value={Math.min(time, duration)}
      disabled={duration === 0}
      onChange={(event) => seek(event.currentTarget.valueAsNumber)}
      onKeyDown={(event) => {
        // With `step="any"`, the element's own steps are not useful.
        const step = { ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5, PageDown: -60, PageUp: 60 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        seek(time + step);
      }}
    />
  );
}

interface LayersProps {
  waveform: Waveform;
  controls: MediaControls;
  isDragged: boolean;
}

/** The waveform in two colors, and the line between them, which follows the position in every frame. */
function Layers({ waveform, controls, isDragged }: LayersProps) {
  const played = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const { state, now } = controls;
  // As long as the slider, so that a position is at the same place in both.
  const duration = state.duration > 0 ? state.duration : shownSeconds(waveform);
  const isMoving = state.isPlaying || isDragged;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a jump while the recording is paused moves the line, too
  useEffect(() => {
    let frame = 0;
    const place = () => {
      const share = duration > 0 ? Math.min(1, Math.max(0, now() / duration)) : 0;
      if (played.current !== null) played.current.style.clipPath = `inset(0 ${100 * (1 - share)}% 0 0)`;
      if (line.current !== null) line.current.style.left = `${100 * share}%`;
      if (isMoving) frame = requestAnimationFrame(place);
    };
    place();
    return () => cancelAnimationFrame(frame);
  }, [duration, isMoving, state.time]);
  return (
    <>
      <WaveformCanvas waveform={waveform} seconds={duration} className={styles.rest} />
      <div ref={played} className={styles.layer}>
        <WaveformCanvas waveform={waveform} seconds={duration} className={styles.played} />
      </div>
      <div ref={line} className={styles.head} />
    </>
  );
}

/** What the waveform shows, in words. */
function Facts({ known }: { known: KnownWaveform }) {
  const facts = waveformFacts(known);
  return facts.length === 0 ? null : <p className={styles.facts}>{facts.join(' · ')}</p>;
}
