import { getPriority, setPriority } from 'node:os';
import { TOOL_NICE } from '../service/processing/tools/tool-priority.ts';

/**
 * Gives the tests and all that they start the priority of the service's tools. Otherwise a tool beside six busy tests would get
 * almost no processor time, and a test that waits for a processed file would miss its time limit.
 */
export function setup(): void {
  if (getPriority() < TOOL_NICE) setPriority(TOOL_NICE);
}
