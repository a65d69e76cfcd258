// Imports that may close a cycle until the files on both sides are rearranged. Each is temporary.

export interface CycleException {
  from: string;
  to: string;
  reason: string;
}

export const CYCLE_EXCEPTIONS: readonly CycleException[] = [];
