/** Returns an instant (epoch milliseconds) as ISO-8601 UTC in whole seconds, as the API has it: `2027-03-01T09:00:00Z`. */
export function isoOf(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}
