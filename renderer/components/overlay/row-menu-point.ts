interface Point {
  x: number;
  y: number;
}

let pending: Point | null = null;

/** Opens the menu of a row by its button, at a point of the window: where the mouse was. null: beside the button. */
export function openRowMenuAt(trigger: HTMLElement, point: Point | null): void {
  pending = point;
  trigger.click();
  pending = null;
}

/** The point for the menu that is being opened; null for beside its button. */
export function rowMenuPoint(): Point | null {
  return pending;
}
