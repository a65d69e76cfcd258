// Exist in every environment of this program, but not in the types that `shared` is checked with.
declare const TextDecoder: new (
  encoding: string,
  options?: { fatal?: boolean },
) => { decode(bytes: Uint8Array, options?: { stream?: boolean }): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** Encodes a text as UTF-8. */
export function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Decodes a text without its byte order mark. Invalid bytes become U+FFFD. */
export function decoded(bytes: Uint8Array, encoding: string): string {
  // As a stream, because Node 20 otherwise decodes Windows-1252 as Latin-1: quotation marks become control characters.
  return new TextDecoder(encoding).decode(bytes, { stream: encoding === 'windows-1252' });
}

/** Returns whether all bytes are characters in an encoding. */
export function isValid(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
