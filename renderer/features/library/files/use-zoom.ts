import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import {
  fitScale,
  limited,
  type Point,
  type Size,
  scrollAfterZoom,
  stepScale,
  wheelFactor,
} from '../state/files/picture-zoom.ts';

/** How far an arrow key moves a picture, in CSS pixels. */
const PAN_STEP = 80;

export interface PictureZoom {
  /** null: the picture fits. */
  scale: number | null;
  /** The scale at which the picture fits. */
  fit: number;
  step(by: 1 | -1): void;
  /** Sets a scale; null fits. */
  set(scale: number | null, at?: Point): void;
  onKeyDown(event: KeyboardEvent): void;
  /** Handlers of the place, which scrolls: drag and double-click. */
  handlers: {
    onPointerDown(event: PointerEvent<HTMLElement>): void;
    onPointerMove(event: PointerEvent<HTMLElement>): void;
    onPointerUp(): void;
    onPointerCancel(): void;
    onDoubleClick(event: { clientX: number; clientY: number }): void;
  };
}

/** The size and position of a picture in a place that scrolls. `picture`: its own size; zero while it is loading. */
export function useZoom(place: RefObject<HTMLElement | null>, picture: Size): PictureZoom {
  const [room, setRoom] = useState<Size>({ width: 0, height: 0 });
  const [scale, setScale] = useState<number | null>(null);
  const fit = fitScale(picture, room);
  /** The scale and the scroll position for the next layout: several turns of the wheel can come before it. */
  const pending = useRef<{ scale: number | null; scroll: Point } | null>(null);

  useLayoutEffect(() => {
    const { current } = place;
    if (current === null) return;
    // With its border, without the room that scrollbars take: they come and go with the scale.
    const measure = () => setRoom({ width: current.offsetWidth, height: current.offsetHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, [place]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the picture has the new size
  useLayoutEffect(() => {
    if (pending.current === null) return;
    const { x, y } = pending.current.scroll;
    place.current?.scrollTo({ left: x, top: y });
    pending.current = null;
  }, [scale, place]);

  const set = (next: number | null, at?: Point) => {
    const { current } = place;
    if (current === null || picture.width === 0) return;
    const within = next === null ? null : limited(next, fit);
    const now = pending.current ?? { scale, scroll: { x: current.scrollLeft, y: current.scrollTop } };
    const middle = { x: room.width / 2, y: room.height / 2 };
    const facts = { at: at ?? middle, scroll: now.scroll, picture, place: room };
    pending.current = { scale: within, scroll: scrollAfterZoom(facts, now.scale ?? fit, within ?? fit) };
    setScale(within);
    // Without a change there is no layout.
    if (within === scale) pending.current = null;
  };
  const scaleNow = () => (pending.current === null ? scale : pending.current.scale);
  const latest = useRef({ scaleNow, fit, set });
  latest.current = { scaleNow, fit, set };

  useEffect(() => {
    const { current } = place;
    if (current === null) return;
    // React listens to the wheel passively, so that it could not keep the page from scrolling.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const now = latest.current;
      const options = { lines: event.deltaMode === WheelEvent.DOM_DELTA_LINE, pinch: event.ctrlKey };
      now.set((now.scaleNow() ?? now.fit) * wheelFactor(event.deltaY, options), pointIn(current, event));
    };
    current.addEventListener('wheel', onWheel, { passive: false });
    return () => current.removeEventListener('wheel', onWheel);
  }, [place]);

  const drag = useRef<{ from: Point; scroll: Point } | null>(null);
  const step = (by: 1 | -1) => set(stepScale(scaleNow(), fit, by));
  const pan = (x: number, y: number) => place.current?.scrollBy({ left: x * PAN_STEP, top: y * PAN_STEP });
  const end = () => {
    drag.current = null;
  };
  return {
    scale,
    fit,
    step,
    set,
    onKeyDown(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const arrows: Record<string, () => void> = {
        ArrowLeft: () => pan(-1, 0),
        ArrowRight: () => pan(1, 0),
        ArrowUp: () => pan(0, -1),
        ArrowDown: () => pan(0, 1),
      };
      const actions: Record<string, () => void> = {
        '+': () => step(1),
        '=': () => step(1),
        '-': () => step(-1),
        '−': () => step(-1),
        '0': () => set(null),
        '1': () => set(1),
        ...(scale === null ? {} : arrows),
      };
      const action = actions[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    },
    handlers: {
      onPointerDown(event) {
        const { currentTarget: element } = event;
        // A scrollbar is a part of the place, too.
        const isOnBar = event.nativeEvent.offsetX > element.clientWidth && event.target === element;
        if (event.button !== 0 || scale === null || isOnBar) return;
        drag.current = {
          from: { x: event.clientX, y: event.clientY },
          scroll: { x: element.scrollLeft, y: element.scrollTop },
        };
        element.setPointerCapture(event.pointerId);
      },
      onPointerMove({ currentTarget, clientX, clientY }) {
        if (drag.current === null) return;
        const { from, scroll } = drag.current;
        currentTarget.scrollTo({ left: scroll.x + from.x - clientX, top: scroll.y + from.y - clientY });
      },
      onPointerUp: end,
      onPointerCancel: end,
      onDoubleClick(event) {
        const { current } = place;
        if (current !== null) set(scale === null ? Math.max(1, fit) : null, pointIn(current, event));
      },
    },
  };
}

function pointIn(element: Element, { clientX, clientY }: { clientX: number; clientY: number }): Point {
  const { left, top } = element.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}
