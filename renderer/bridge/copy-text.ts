/**
 * Puts text into the clipboard. The asynchronous clipboard asks for a permission that the shell refuses; copying a
 * selection needs none. Throws when the system did not take it.
 */
export function copyText(text: string): void {
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  const before = document.activeElement;
  // A dialog keeps the focus inside, so the text has to stand where the focus is.
  (before?.closest('[role="dialog"]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!isCopied) throw new Error('The system did not take the text into its clipboard.');
}
