import { type RefObject, useEffect, useRef } from 'react';
import { type LargePicture, levelFor } from '../state/files/large-picture.ts';
import styles from './player.module.css';

interface LargeCanvasProps {
  picture: LargePicture;
  /** Changes when the picture has another copy. */
  copies: number;
  /** The element that scrolls. */
  place: RefObject<HTMLElement | null>;
  /** CSS pixels for each pixel of the picture. */
  scale: number;
  label: string;
}

/** Draws the visible part of a large picture over the place that scrolls. */
export function LargeCanvas({ picture, copies, place, scale, label }: LargeCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: draws again when there is a better copy
  useEffect(() => {
    const [element, scroller] = [canvas.current, place.current];
    if (element === null || scroller === null) return;
    let frame = 0;
    const draw = () => {
      frame = 0;
      drawPart(element, scroller, picture, scale);
    };
    const schedule = () => {
      if (frame === 0) frame = requestAnimationFrame(draw);
    };
    const observer = new ResizeObserver(schedule);
    observer.observe(scroller);
    scroller.addEventListener('scroll', schedule, { passive: true });
    draw();
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      scroller.removeEventListener('scroll', schedule);
    };
  }, [picture, copies, place, scale]);
  return <canvas ref={canvas} className={styles.large} role="img" aria-label={label} />;
}

function drawPart(canvas: HTMLCanvasElement, scroller: HTMLElement, picture: LargePicture, scale: number): void {
  const ratio = window.devicePixelRatio;
  // Without the room of scrollbars.
  const { clientWidth: width, clientHeight: height, scrollLeft, scrollTop } = scroller;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  const context = canvas.getContext('2d');
  const level = levelFor(scale * ratio, picture.levels.length);
  const source = picture.levels[level];
  if (context === null || source === undefined) return;
  // A picture that is smaller than the place is in its middle.
  const left = Math.max(0, (width - picture.width * scale) / 2);
  const top = Math.max(0, (height - picture.height * scale) / 2);
  const shown = { width: Math.min(width, picture.width * scale), height: Math.min(height, picture.height * scale) };
  const part = 2 ** -level / scale;
  // Single pixels stay visible as such.
  context.imageSmoothingEnabled = scale * ratio < 3;
  context.drawImage(
    source,
    ...([scrollLeft * part, scrollTop * part, shown.width * part, shown.height * part] as const),
    ...([left * ratio, top * ratio, shown.width * ratio, shown.height * ratio] as const),
  );
}
