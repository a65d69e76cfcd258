/** Texts are joined to pieces of this many characters. */
const PIECE_CHARS = 65_536;

const encoder = new TextEncoder();

/** Joins texts, such as rows, to pieces of UTF-8, so that each is written or compressed at once. A text is never divided. */
export function* inPieces(texts: Iterable<string>): Generator<Uint8Array, void, undefined> {
  let text = '';
  for (const each of texts) {
    text += each;
    if (text.length < PIECE_CHARS) continue;
    yield encoder.encode(text);
    text = '';
  }
  yield encoder.encode(text);
}
