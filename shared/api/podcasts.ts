import { z } from 'zod';
import type { PodcastField } from './podcast-fields.ts';
import { blank } from './wire.ts';

/**
 * The details of a podcast collection. All are texts: fields that the API restricts (`directory_explicit`) or does not restrict
 * (`directory_category`) are read unchanged, so that an unknown value is never lost.
 */
export const podcastDetailsSchema = z.object({
  directory_author_name: blank(z.string()),
  directory_author_email: blank(z.string()),
  directory_subtitle: blank(z.string()),
  /** `no`, `yes` or `clean`. */
  directory_explicit: blank(z.string()),
  /** Category and subcategory in one text. */
  directory_category: blank(z.string()),
  copyright: blank(z.string()),
  directory_url: blank(z.string()),
  directory_edu_category: blank(z.string()),
  feed_proxy_url: blank(z.string()),
} satisfies Record<PodcastField, unknown>);
export type PodcastDetails = z.output<typeof podcastDetailsSchema>;
