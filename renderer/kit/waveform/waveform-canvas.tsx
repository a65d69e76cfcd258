import { useEffect, useRef } from 'react';
import { shownSeconds, type Waveform } from '../../../shared/model/waveform/waveform.ts';
import { type Column, columnsOf, longSilences } from '../../../shared/model/waveform/waveform-marks.ts';

/** CSS pixels of a bar, and from one bar to the next. */
const BAR = 2;
const STEP = 3;
/** Speech is far below full scale: this power shows it larger, and full scale stays full scale. */
const LOUDNESS_POWER = 0.6;
const SILENCE_TICK = 9;

interface WaveformCanvasProps {
  waveform: Waveform;
  /** The length that the whole width stands for; that of the waveform unless given. */
  seconds?: number;
  /**
   * Its style gives the colors: `color` of the sound, `border-top-color` of clipped sound, `border-right-color` of silences and of
   * parts that were not read.
   */
  className: string | undefined;
}

/** A drawn waveform that fills its place. It is decoration: texts beside it say what it shows. */
export function WaveformCanvas({ waveform, seconds = shownSeconds(waveform), className }: WaveformCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const paint = () => draw(element, waveform, seconds);
    const observer = new ResizeObserver(paint);
    observer.observe(element);
    const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) => matchMedia(query));
    for (const query of queries) query.addEventListener('change', paint);
    return () => {
      observer.disconnect();
      for (const query of queries) query.removeEventListener('change', paint);
    };
  }, [waveform, seconds]);
  return <canvas ref={canvas} className={className} aria-hidden />;
}

function draw(canvas: HTMLCanvasElement, waveform: Waveform, seconds: number): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const context = canvas.getContext('2d');
  if (context === null || width === 0 || height === 0) return;
  const scale = window.devicePixelRatio;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const colors = { sound: style.color, clipped: style.borderTopColor, silence: style.borderRightColor };
  const columns = columnsOf(waveform, Math.max(1, Math.floor(width / STEP)), seconds);
  for (const [index, column] of columns.entries()) {
    const { top, length } = barOf(column, height);
    context.fillStyle = column === null ? colors.silence : column.isClipped ? colors.clipped : colors.sound;
    context.fillRect(index * STEP, top, BAR, length);
  }
  const perSecond = (columns.length * STEP) / seconds;
  context.fillStyle = colors.silence;
  for (const { from, to } of longSilences(waveform)) {
    const [left, right] = [from * perSecond, Math.max(from * perSecond + BAR, to * perSecond)];
    context.fillRect(left, height / 2 - 1, right - left, 2);
    for (const x of [left, right - 1]) context.fillRect(x, (height - SILENCE_TICK) / 2, 1, SILENCE_TICK);
  }
}

/** Returns the place of a bar; never less than a pixel high. */
function barOf(column: Column, height: number): { top: number; length: number } {
  const middle = height / 2;
  if (column === null) return { top: middle - 0.5, length: 1 };
  const up = middle * Math.max(0, column.high) ** LOUDNESS_POWER;
  const down = middle * Math.max(0, -column.low) ** LOUDNESS_POWER;
  const length = Math.max(1, up + down);
  return { top: Math.max(0, Math.min(middle - up, height - length)), length };
}
