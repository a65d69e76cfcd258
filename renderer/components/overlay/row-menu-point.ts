interface Point {
  x: number;
  y: number;
}

let pending: Point | null = null;

/** Opens the menu of a row by its button, at a point of the window: where the mouse was. null: beside the button. */
export function openRowMenuAt(trigger: HTMLElement, point: Point | null): void {
  pending = point;
  // `trigger.click()` has the detail 0, which React Aria takes for a screen reader: it would focus the menu only after a
  // frame, and a key pressed before that would be lost.
  trigger.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
  pending = null;
}

/** The point for the menu that is being opened; null for beside its button. */
export function rowMenuPoint(): Point | null {
  return pending;
}
