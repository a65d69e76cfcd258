import { LEGACY_ENCODINGS } from '../text/encoding-names.ts';

/** The formats of captions that the API accepts. */
export const CAPTIONS_FORMATS = ['vtt', 'srt', 'dfxp'] as const;
export type CaptionsFormat = (typeof CAPTIONS_FORMATS)[number];

/** The encodings that a user can choose for captions. */
export const CAPTIONS_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', ...LEGACY_ENCODINGS] as const;
export type CaptionsEncoding = (typeof CAPTIONS_ENCODINGS)[number];
