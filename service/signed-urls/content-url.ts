import type { Site } from '../site/site.ts';

export const CDN_PURPOSE = 'cdn';

/** The payload of a CDN token: the stored bytes, their kind, and the expiry. Short names keep the URL short. */
export interface CdnGrant {
  /** Stored name. */
  s: string;
  /** Container, or a content type with a slash. */
  c: string | null;
  /** Whether the content is a download only. */
  d: boolean;
  /** Epoch ms when the URL expires. */
  x: number;
}

/** The fields of a media file that a signed URL needs. */
export interface StoredFile {
  stored_name: string | null;
  container: string | null;
  type: string;
  display_name: string;
}

/** Returns a URL that serves a file's bytes to everyone who has it, until it expires. */
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
