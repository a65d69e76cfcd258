/** Shows a web page to a person who is to sign in there. */
export interface BrowserOpener {
  /**
   * Opens `url`. `onClosed` is called at most once, when the person closed the window; a system browser never calls it.
   * The returned `close` puts the window away and calls nothing.
   */
  open(url: string, events: { onClosed(): void }): Promise<{ close(): void }>;
}
