// The commands of the documents: code blocks with their lines, and commands within sentences.

const FENCE = /^```\w*\n([\s\S]*?)^```$/gm;
const STARTS = /^(?:npm run -s )?mediadesk (?:-- )?|^station /;

/** Returns the lines of a page's code blocks that call `mediadesk`, in order, with continued lines joined. */
export function commandLinesOf(page: string): string[] {
  const fenced = [...page.matchAll(FENCE)].flatMap(([, code = '']) => joined(code));
  const indented = joined(page.replaceAll(FENCE, '')).flatMap((line) =>
    line.startsWith('    ') ? [line.slice(4)] : [],
  );
  const lines = new Set([...fenced, ...indented].filter((line) => STARTS.test(line)));
  return [...lines].sort((one, other) => page.indexOf(one.slice(0, 40)) - page.indexOf(other.slice(0, 40)));
}

/** Returns the commands within the sentences and tables of a page that stand there whole, without `…`. */
export function inlineCommandsOf(page: string): string[] {
  const found = page.replaceAll(FENCE, '').matchAll(/`((?:mediadesk|station) [^`]+)`/g);
  return [...found].map(([, code = '']) => code.replaceAll('\n', ' ')).filter((code) => !code.includes('…'));
}

function joined(text: string): string[] {
  return text.replaceAll(/\\\n\s*/g, '').split('\n');
}
