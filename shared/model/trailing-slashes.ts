/** A text without the slashes at its end. A pattern such as one of slashes before the end takes quadratic time. */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
