/** Where a browser component finds its proxies. */
export type BrowserProxy =
  | { kind: 'system' }
  | { kind: 'direct' }
  /** `proxy`: an address such as `http://proxy.example:3128`. `exceptions`: hosts, separated by commas. */
  | { kind: 'fixed'; proxy: string; exceptions: string }
  | { kind: 'pac'; address: string };

/** Reads the proxy settings of the system and evaluates PAC scripts: the browser component of the window. */
export interface ProxyResolver {
  /**
   * Returns the proxies for an address in the form of PAC scripts, such as `PROXY a.example:3128; DIRECT`. `from`: the settings to
   * use. A script that can't be loaded, or that fails, means `DIRECT`.
   */
  resolve(url: URL, from: BrowserProxy): Promise<string>;
  /** Reads the settings of the system, or the script, again: the network changed. */
  reload(): Promise<void>;
}
