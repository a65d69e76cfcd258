import { setPriority } from 'node:os';

/** Lower priority (a nice value) than uploads and requests, which must not wait for tools. */
export const TOOL_NICE = 15;

/** Gives a process that was just started the priority of tools. `pid` is undefined if it could not be started. */
export function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, TOOL_NICE);
  } catch {
    // The process has ended already, or the system does not permit it.
  }
}
