/**
 * What closing the window does while something runs.
 * - `ask`: asks each time
 * - `background`: Mediadesk works on without a window
 * - `quit`: Mediadesk ends
 */
export const CLOSE_ACTIONS = ['ask', 'background', 'quit'] as const;
export type CloseAction = (typeof CLOSE_ACTIONS)[number];
