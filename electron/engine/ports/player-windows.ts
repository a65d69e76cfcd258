import type { BrowserNetwork } from './browser-opener.ts';

/** A player page of a library, as an embedded one appears. */
export interface ShownPlayer {
  /** An http or https address. */
  url: string;
  title: string;
  /** Pixels. */
  width: number;
  height: number;
}

/** Shows players of libraries in windows that can't reach the engine. */
export interface PlayerWindows {
  /** Opens the window, or shows another player in the open one. Throws `site.address-invalid`. */
  show(player: ShownPlayer, network: BrowserNetwork): Promise<void>;
}
