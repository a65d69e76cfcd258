import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import styles from './splitter.module.css';

interface SplitterProps {
  label: string;
  width: number;
  min: number;
  max: number;
  /** 1 when the pane is to the left of the splitter, -1 when to the right. */
  direction: 1 | -1;
  onChange: (width: number) => void;
  /** Called once at the end of a change. */
  onCommit: (width: number) => void;
}

const STEP = 16;

/** The edge of a pane, moved by mouse or arrow keys. */
export function Splitter({ label, width, min, max, direction, onChange, onCommit }: SplitterProps) {
  const start = useRef<{ x: number; width: number } | null>(null);
  const clamp = (value: number) => Math.round(Math.min(max, Math.max(min, value)));

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.dataset.dragging = '';
    start.current = { x: event.clientX, width };
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (start.current === null) return;
    onChange(clamp(start.current.width + (event.clientX - start.current.x) * direction));
  };
  const onPointerEnd = (event: PointerEvent<HTMLDivElement>) => {
    if (start.current === null) return;
    start.current = null;
    delete event.currentTarget.dataset.dragging;
    onCommit(width);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowLeft' ? -STEP : event.key === 'ArrowRight' ? STEP : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = clamp(width + step * direction);
    onChange(next);
    onCommit(next);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a focusable separator is the pattern for a splitter; hr is not
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      className={styles.splitter}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerEnd}
      onPointerCancel={onPointerEnd}
      onKeyDown={onKeyDown}
    />
  );
}
