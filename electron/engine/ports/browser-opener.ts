import type { BrowserProxy } from './proxy-resolver.ts';

/** How a window reaches web pages in the same way as the engine. */
export interface BrowserNetwork {
  proxy(): BrowserProxy;
  /** Returns the stored user name and password for a proxy; null: none. */
  credentialsFor(host: string, port: number): Promise<{ user: string; password: string } | null>;
  /**
   * Returns whether the engine trusts the server at an https address, and the server has the certificate with this SHA-256
   * fingerprint (pairs of hexadecimal digits, separated by colons).
   */
  trusts(url: URL, fingerprint: string): Promise<boolean>;
}

/** Shows a web page to a user who signs in there. */
export interface BrowserOpener {
  /**
   * Opens `url`. `onClosed` is called at most once, when the user closes the window; a system browser never calls it. The
   * returned `close` closes the window without calling it. `network`: only for windows of this program.
   */
  open(url: string, events: { onClosed(): void }, network: BrowserNetwork): Promise<{ close(): void }>;
}
