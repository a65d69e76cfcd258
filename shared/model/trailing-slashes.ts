/**
 * Returns a text without trailing slashes. A regular expression for that would take quadratic time on long runs of
 * slashes.
 */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
