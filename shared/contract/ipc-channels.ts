/** The channel on which the window calls the engine. */
export const CALL_CHANNEL = 'mediadesk:call';
/** The channel on which the window receives events. */
export const EVENT_CHANNEL = 'mediadesk:event';
