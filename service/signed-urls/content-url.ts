import type { Site } from '../site/site.ts';

export const CDN_PURPOSE = 'cdn';

/** What a CDN token says: which stored bytes, of what kind, under which name, until when. */
export interface CdnGrant {
  /** Stored name. */
  s: string;
  /** Container, or a content type with a slash. */
  c: string | null;
  /** Whether to offer the bytes as a download only. */
  d: boolean;
  /** Epoch ms after which the URL is dead. */
  x: number;
}

/** What such a URL needs to know of a media file. */
export interface StoredFile {
  stored_name: string | null;
  container: string | null;
  type: string;
  display_name: string;
}

/** A URL that serves a file's bytes to every bearer until it expires. */
export function signedContentUrl(site: Site, row: StoredFile, ttlS: number): string {
  const grant: CdnGrant = {
    s: row.stored_name ?? '',
    c: row.container,
    d: row.type === 'blob' || row.type === 'winnov_asset',
    x: site.now() + ttlS * 1000,
  };
  return urlFor(site, grant, row.display_name);
}

export function signedThumbUrl(site: Site, thumb: { stored_name: string; content_type: string }): string {
  return urlFor(site, { s: thumb.stored_name, c: thumb.content_type, d: false, x: site.now() + 3_600_000 }, 'thumb');
}

function urlFor(site: Site, grant: CdnGrant, name: string): string {
  const shown = name.toWellFormed().replace(/[/\\]/g, '_').slice(0, 120).toWellFormed() || 'file';
  return `${site.baseUrl}/cdn/${site.signer.sign(CDN_PURPOSE, grant)}/${encodeURIComponent(shown === '.' || shown === '..' ? 'file' : shown)}`;
}
