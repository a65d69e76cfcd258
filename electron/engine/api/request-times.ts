// The assumptions of the engine about the times of requests and of clocks. Three searches for what a request without an answer
// created use them. When such a search finds nothing, it waits before the request is repeated:
//
// - the item of an upload (`item-lookup.ts`): `LATE_EFFECT_MS` and `LISTED_AFTER_MS` after the first search
// - a restored item (`restored-item.ts`): `LATE_EFFECT_MS` after the request ended
// - a collection (`create-collection-once.ts`): `WRITE_TIMEOUT_MS` after a request of an earlier process was sent

/** The time limit of a request that changes something. Longer than for reads: after a timeout its effect is unknown. */
export const WRITE_TIMEOUT_MS = 60_000;

/** For how long a request without an answer may still take effect: the service, or a gateway, may delay it. */
export const LATE_EFFECT_MS = 60_000;

/**
 * For how long after its creation lists may lack an item. Only uploads wait for this: they continue without the user. A
 * restoration continues only when the user starts it again.
 */
export const LISTED_AFTER_MS = 30_000;

/** The precision of the measured time of a service, including differences between its servers. */
export const CLOCK_SLACK_MS = 2 * 60_000;

/** The possible difference between the clocks of this computer and of a service, or between those of its servers. */
export const CLOCK_SKEW_MS = 25 * 3_600_000;
