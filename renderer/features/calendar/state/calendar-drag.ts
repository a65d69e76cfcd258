import { create } from 'zustand';
import { delayed } from '../../../kit/async/delayed.ts';
import { warn } from '../../common/state/messages-store.ts';
import { loadRightsTo, refusalOf } from '../../library/state/selection/rights-store.ts';
import { turnPage, useCalendar } from './calendar-store.ts';
import { type MovableItem, moveItem, refusalToMove, targetOfItem } from './reschedule.ts';

const THRESHOLD_PX = 6;
const EDGE_PX = 28;
const SCROLL_PX = 8;
const TURN_AFTER_MS = 700;

/** A slot under the pointer. `hour` null: a day of the month. */
interface DropPlace {
  day: string;
  hour: number | null;
}

interface Point {
  x: number;
  y: number;
}

/** The dragged item, the slot under the pointer, and the pointer in pixels of the window; null while nothing is dragged. */
export const useDrag = create<{ drag: ({ item: MovableItem; over: DropPlace | null } & Point) | null }>(() => ({
  drag: null,
}));

/** Returns the slot under the dragged item; null when there is none. */
export function useDropPlace(): DropPlace | null {
  return useDrag(({ drag }) => drag?.over ?? null);
}

let stop: (() => void) | null = null;

/** Ends the drag without an effect, such as when the calendar closes. */
export function cancelDrag(): void {
  stop?.();
}

/**
 * Drags an item to a slot of the calendar, from a mouse-down on the item. Escape cancels the drag. A pause above the button for the
 * previous or the next month or week shows it. Near the upper or lower edge, the hours scroll. An item that can't be moved is not
 * dragged, and a message says why.
 */
export function beginDrag(down: Pick<MouseEvent, 'clientX' | 'clientY'>, item: MovableItem): void {
  const { siteId } = useCalendar.getState();
  if (siteId === null) return;
  const start = { x: down.clientX, y: down.clientY };
  const target = targetOfItem(siteId, item);
  let at = start;
  let isDragging = false;
  let frame = 0;
  let turning = 0;
  const turn = delayed(() => {
    turnPage(turning < 0 ? -1 : 1);
    turn.schedule();
  }, TURN_AFTER_MS);

  const show = () => {
    const by = turnAt(at);
    if (by !== turning) turn.cancel();
    turning = by;
    if (by !== 0) turn.schedule();
    useDrag.setState(({ drag }) => ({ drag: { item, over: sameOr(drag?.over ?? null, placeAt(at)), ...at } }));
  };
  const scroll = () => {
    if (scrollHours(at)) show();
    frame = requestAnimationFrame(scroll);
  };
  const refuse = (text: string, nextStep: string | null) => {
    end();
    swallowClick(true);
    warn(text, nextStep);
  };
  /** Ends the drag when the account may not schedule the item. Its rights are mostly known before the drag begins. */
  const checkRights = () => {
    const refusal = refusalOf(target, 'publish');
    if (refusal !== null && isDragging) refuse(refusal.message, refusal.nextStep);
  };
  const begin = () => {
    isDragging = true;
    const refusal = refusalToMove(item);
    if (refusal !== null) return refuse(refusal.text, refusal.nextStep);
    frame = requestAnimationFrame(scroll);
    checkRights();
  };
  const onMove = (move: MouseEvent) => {
    at = { x: move.clientX, y: move.clientY };
    if (!isDragging && Math.hypot(at.x - start.x, at.y - start.y) >= THRESHOLD_PX) begin();
    if (isDragging) show();
  };
  const end = () => {
    isDragging = false;
    cancelAnimationFrame(frame);
    turn.cancel();
    window.removeEventListener('mousemove', onMove);
    window.removeEventListener('mouseup', onUp);
    window.removeEventListener('keydown', onKey, true);
    stop = null;
    useDrag.setState({ drag: null });
  };
  const onUp = () => {
    const wasDragging = isDragging;
    const over = wasDragging ? placeAt(at) : null;
    end();
    if (wasDragging) swallowClick(false);
    if (over !== null) void moveItem(item, over.day, over.hour);
  };
  const onKey = (key: KeyboardEvent) => {
    if (key.key !== 'Escape' || !isDragging) return;
    key.preventDefault();
    key.stopPropagation();
    end();
    swallowClick(true);
  };
  cancelDrag();
  stop = end;
  window.addEventListener('mousemove', onMove);
  window.addEventListener('mouseup', onUp);
  window.addEventListener('keydown', onKey, true);
  void loadRightsTo(target).then(checkRights);
}

/** The click after the mouse-up would select what is under the pointer. `isDown`: the button of the mouse is still down. */
function swallowClick(isDown: boolean): void {
  const swallow = (click: MouseEvent) => click.stopPropagation();
  const forget = () => window.setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 0);
  window.addEventListener('click', swallow, { capture: true, once: true });
  if (isDown) window.addEventListener('mouseup', forget, { once: true });
  else forget();
}

/** Returns the place before if the next one is equal: the grid is rendered again only for another one. */
function sameOr(before: DropPlace | null, next: DropPlace | null): DropPlace | null {
  return before?.day === next?.day && before?.hour === next?.hour ? before : next;
}

function placeAt({ x, y }: Point): DropPlace | null {
  const { day, hour } = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-day]')?.dataset ?? {};
  return day === undefined ? null : { day, hour: hour === undefined ? null : Number(hour) };
}

/** Returns -1 or 1 above a button that shows the previous or the next days, otherwise 0. */
function turnAt({ x, y }: Point): number {
  return Number(document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-turn]')?.dataset.turn ?? 0);
}

/** Scrolls the hours of a week while the pointer is near their upper or lower edge; returns whether they scrolled. */
function scrollHours({ x, y }: Point): boolean {
  const box = document.querySelector<HTMLElement>('[data-hours]');
  if (box === null) return false;
  const { left, right, top, bottom } = box.getBoundingClientRect();
  if (x < left || x > right) return false;
  // The names of the days cover the upper edge.
  const step = y < top + 2 * EDGE_PX ? -SCROLL_PX : y > bottom - EDGE_PX ? SCROLL_PX : 0;
  box.scrollTop += step;
  return step !== 0;
}
