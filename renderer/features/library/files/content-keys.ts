import type { KeyboardEvent, RefObject } from 'react';

/** The keys of the shown recording or picture, which work wherever the focus is in the player; null without one. */
export type ContentKeys = RefObject<((event: KeyboardEvent) => void) | null>;
