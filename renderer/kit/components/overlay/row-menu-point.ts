interface Point {
  x: number;
  y: number;
}

let pending: Point | null = null;

/** Opens the menu of a row by its button, at the position of the mouse in the window. null: beside the button. */
export function openRowMenuAt(trigger: HTMLElement, point: Point | null): void {
  pending = point;
  // `trigger.click()` has the detail 0, which React Aria interprets as a screen reader: it would focus the menu only after a
  // frame, and a key pressed before that would be lost.
  trigger.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
  pending = null;
}

/** Returns the point for the menu that is being opened; null: beside its button. */
export function rowMenuPoint(): Point | null {
  return pending;
}
