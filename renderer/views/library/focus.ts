import { openInspector } from '../../stores/app/layout-store.ts';

/** Moves the keyboard to the list of media. */
export function focusMediaList(): void {
  document.querySelector<HTMLElement>('main [role="grid"]')?.focus({ preventScroll: true });
}

/** Shows the inspector and moves the keyboard into it: to the first field, or to the open tab when that has no field. */
export function focusInspector(): void {
  openInspector();
  // The inspector is in the document only after the next frame.
  requestAnimationFrame(() => {
    const inspector = document.querySelector('[data-inspector]');
    const place =
      inspector?.querySelector<HTMLElement>('input:not(:disabled)') ??
      inspector?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]') ??
      inspector?.querySelector<HTMLElement>('button:not(:disabled)');
    place?.focus();
  });
}
