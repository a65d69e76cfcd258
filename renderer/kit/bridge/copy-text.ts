/**
 * Copies text to the clipboard by copying a selection: the asynchronous clipboard API needs a permission that the shell
 * denies. Throws when the system did not accept the text.
 */
export function copyText(text: string): void {
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  const before = document.activeElement;
  // A dialog keeps the focus inside, so the text area has to be inside it as well.
  (before?.closest('[role="dialog"]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!isCopied) throw new Error('The system did not take the text into its clipboard.');
}
