/** Decodes Windows-1252, in which every byte is valid. */
export function decodeWindows1252(bytes: Uint8Array): string {
  // Decoded as a stream, because Node 20 otherwise decodes it as Latin-1: quotation marks become control characters.
  return new TextDecoder('windows-1252').decode(bytes, { stream: true });
}
