// The commands of the documents: lines of code, and commands within sentences.

const COMMAND = /^(?:npm run -s )?mediadesk /;

/** Returns the lines of code of a page (in fences, or indented) that call `mediadesk`, in order, with continued lines joined. */
export function commandLinesOf(page: string): string[] {
  let isFenced = false;
  return page
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('```')) isFenced = !isFenced;
      const code = isFenced ? line : line.startsWith('    ') ? line.slice(4) : '';
      return COMMAND.test(code) ? [code] : [];
    });
}

/** Returns the commands within the sentences and tables of a page that stand there whole, without `…`. */
export function inlineCommandsOf(page: string): string[] {
  const found = page.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`((?:mediadesk|station) [^`]+)`/g);
  return [...found].map(([, code = '']) => code.replaceAll('\n', ' ')).filter((code) => !code.includes('…'));
}
