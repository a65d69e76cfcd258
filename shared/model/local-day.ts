/** YYYY-MM-DD in the zone of this computer, as titles have it. */
export function localDay(epochMs: number): string {
  const day = new Date(epochMs);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
