// Separate from the schemas, because the screens use these names and must not load a schema library: it evaluates code, which
// their content security policy forbids.

/** The fields of podcast details, in the order of the API. */
export const PODCAST_FIELDS = [
  'directory_author_name',
  'directory_author_email',
  'directory_subtitle',
  'directory_explicit',
  'directory_category',
  'copyright',
  'directory_url',
  'directory_edu_category',
  'feed_proxy_url',
] as const;
export type PodcastField = (typeof PODCAST_FIELDS)[number];

export const EXPLICIT_VALUES = ['no', 'clean', 'yes'] as const;

/** Returns the most characters of a podcast detail; a library may accept fewer. */
export function mostOfPodcastField(field: PodcastField): number {
  return field === 'directory_subtitle' ? 20_000 : 4000;
}
