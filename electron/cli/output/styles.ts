/** The styles of texts on a terminal with colours, by their meaning. */
const CODES = { heading: '1', problem: '31', notice: '33' } as const;

export type Style = keyof typeof CODES;

export interface StyledStream {
  /** True for a terminal. */
  isTTY?: boolean | undefined;
}

/** Returns whether texts on a stream are coloured: only on a terminal that has colours, unless the user chose `NO_COLOR`. */
export function hasColors(stream: StyledStream, env: Readonly<Record<string, string | undefined>>): boolean {
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}

/** Returns a text that is already safe on a terminal with the codes of a style around it. */
export function styled(text: string, style: Style): string {
  return `\u001b[${CODES[style]}m${text}\u001b[0m`;
}
