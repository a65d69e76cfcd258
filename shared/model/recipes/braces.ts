/** A piece of a pattern or template: text, or the content of a token's braces. */
export type Piece = { text: string } | { token: string };

const PIECES = /\{\{|\}\}|\{([^{}]*)\}|[^{}]+|./g;

/** Splits a pattern or template at its tokens; `{{` and `}}` are braces. null: a brace has no partner. */
export function piecesOf(source: string): Piece[] | null {
  const pieces: Piece[] = [];
  for (const [piece, token] of source.matchAll(PIECES)) {
    if (token !== undefined) pieces.push({ token });
    else if (piece === '{' || piece === '}') return null;
    else pieces.push({ text: piece === '{{' ? '{' : piece === '}}' ? '}' : piece });
  }
  return pieces;
}

export const UNPAIRED = 'A brace has no partner. To write a brace, use {{ or }}.';
