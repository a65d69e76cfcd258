/** The file types of the API, and `winnov_asset`, which its creation rules mention together with captions. */
export const UPLOAD_TYPES = ['video', 'audio', 'doc', 'image', 'blob', 'captions', 'winnov_asset'] as const;
export type UploadType = (typeof UPLOAD_TYPES)[number];

interface Kind {
  type: UploadType;
  contentType: string;
}

const KINDS: Readonly<Record<string, Kind>> = {
  ...kinds('video', { mp4: 'video/mp4', m4v: 'video/mp4', mov: 'video/quicktime', webm: 'video/webm' }),
  ...kinds('video', { mkv: 'video/x-matroska', avi: 'video/x-msvideo', mpg: 'video/mpeg', mpeg: 'video/mpeg' }),
  ...kinds('video', {
    wmv: 'video/x-ms-wmv',
    flv: 'video/x-flv',
    ogv: 'video/ogg',
    mts: 'video/mp2t',
    m2ts: 'video/mp2t',
  }),
  ...kinds('audio', { wav: 'audio/wav', mp3: 'audio/mpeg', m4a: 'audio/mp4', aac: 'audio/aac', flac: 'audio/flac' }),
  ...kinds('audio', {
    ogg: 'audio/ogg',
    oga: 'audio/ogg',
    opus: 'audio/ogg',
    wma: 'audio/x-ms-wma',
    aiff: 'audio/aiff',
    aif: 'audio/aiff',
  }),
  ...kinds('doc', { pdf: 'application/pdf' }),
  ...kinds('image', { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' }),
  ...kinds('image', { bmp: 'image/bmp', tif: 'image/tiff', tiff: 'image/tiff' }),
  ...kinds('captions', {
    srt: 'application/x-subrip',
    vtt: 'text/vtt',
    dfxp: 'application/ttml+xml',
    ttml: 'application/ttml+xml',
  }),
};

function kinds(type: UploadType, contentTypes: Readonly<Record<string, string>>): Record<string, Kind> {
  return Object.fromEntries(
    Object.entries(contentTypes).map(([extension, contentType]) => [extension, { type, contentType }]),
  );
}

/** Returns the text after the last dot of a name, in lower case; an empty text without a dot. */
export function extensionOf(name: string): string {
  return /\.([a-z0-9]{1,10})$/i.exec(name.trim())?.[1]?.toLowerCase() ?? '';
}

/** Returns the type that a name suggests; `blob` if it is unknown. */
export function guessType(name: string): UploadType {
  return KINDS[extensionOf(name)]?.type ?? 'blob';
}

/** Returns the content type of a container: only types that a browser plays or shows safely; otherwise the type of a download. */
export function contentTypeOf(container: string | null): string {
  return KINDS[container ?? '']?.contentType ?? 'application/octet-stream';
}
