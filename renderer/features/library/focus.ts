import { openInspector } from '../common/state/layout-store.ts';
import { useInspector } from './state/inspector-store.ts';

/** Moves the keyboard to the list of media. */
export function focusMediaList(): void {
  document.querySelector<HTMLElement>('main [role="grid"]')?.focus({ preventScroll: true });
}

/** The id of the item that gets the focus when the inspector shows it; null when no focus was requested. */
let requested: string | null = null;

/** Shows the inspector and moves the keyboard focus into it: to the first field, or to the open tab when it has no field. */
export function focusInspector(): void {
  requested = useInspector.getState().mediaId;
  openInspector();
  // An item that is still being loaded gets the focus when it is shown, see `takeInspectorFocus`.
  requestAnimationFrame(takeInspectorFocus);
}

/**
 * Moves the keyboard focus into the inspector if `focusInspector` requested it for the shown item. The inspector calls it for
 * each item.
 */
export function takeInspectorFocus(): void {
  const { mediaId, detail } = useInspector.getState();
  const inspector = document.querySelector('[data-inspector]');
  if (requested === null || inspector === null) return;
  if (mediaId === requested && detail === null) return;
  const isSame = mediaId === requested;
  requested = null;
  if (!isSame) return;
  const place =
    inspector.querySelector<HTMLElement>('input:not(:disabled)') ??
    inspector.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]');
  place?.focus();
}

/** The field of the inspector that was focused last; null when another element was. */
let lastField: string | null = null;

/** Call when an element of the inspector gets the focus. */
export function noteField(element: Element): void {
  lastField = element.closest('[data-field]')?.getAttribute('data-field') ?? null;
}

/** Call when an element of the inspector loses the focus to another one; null: to none, as when it is removed. */
export function noteBlur(to: Element | null): void {
  if (to !== null && to.closest('[data-inspector]') === null) lastField = null;
}

/**
 * Moves the keyboard focus to the same field of the new item, when the focused field was removed together with the previous item.
 */
export function returnToField(): void {
  if (lastField === null || (document.activeElement !== document.body && document.activeElement !== null)) return;
  const field = document.querySelector(`[data-inspector] [data-field="${lastField}"]`);
  field?.querySelector<HTMLElement>('input, textarea, [contenteditable="true"]')?.focus();
}
