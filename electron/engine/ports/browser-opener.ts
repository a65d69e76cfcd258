/** Shows a web page to a user who signs in there. */
export interface BrowserOpener {
  /**
   * Opens `url`. `onClosed` is called at most once, when the user closes the window; a system browser never calls it. The
   * returned `close` closes the window without calling it.
   */
  open(url: string, events: { onClosed(): void }): Promise<{ close(): void }>;
}
