import type { ContainerVerdict } from '../observations.ts';

export const COMPLETE: ContainerVerdict = { kind: 'complete' };
export const UNKNOWN: ContainerVerdict = { kind: 'unknown' };
export const PART_MISSING: ContainerVerdict = { kind: 'incomplete', reason: 'part-missing' };
export const TOO_SHORT: ContainerVerdict = { kind: 'incomplete', reason: 'shorter-than-declared' };
export const NOT_CLOSED: ContainerVerdict = { kind: 'incomplete', reason: 'not-closed' };
export const END_MISSING: ContainerVerdict = { kind: 'incomplete', reason: 'end-missing' };
