/** Returns the words of a command as a POSIX shell splits it: quotes are removed, and a redirection or `#` ends the command. */
export function wordsOfShell(line: string): string[] {
  const words: string[] = [];
  for (const [, double, single, plain] of line.matchAll(
    /((?:"[^"]*"[^\s"']*)+|[^\s"']+(?:"[^"]*"[^\s"']*)+)|('[^']*')|(\S+)/g,
  )) {
    const word = (double ?? single ?? plain ?? '').replace(/["']/g, '');
    if (plain !== undefined && /^(?:\d*[<>]|#|&&|\||;)/.test(plain)) break;
    words.push(word);
  }
  return words;
}
