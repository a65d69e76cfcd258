/** How the text of a file is stored. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type TextEncoding = (typeof ENCODINGS)[number];

/**
 * The evidence for an encoding: a byte order mark, NUL bytes in every second position, or nothing (`default`: UTF-8, which is
 * checked strictly). `chosen`: the user chose it.
 */
export const ENCODING_EVIDENCE = ['bom', 'nul-pattern', 'default', 'chosen'] as const;
export type EncodingEvidence = (typeof ENCODING_EVIDENCE)[number];
