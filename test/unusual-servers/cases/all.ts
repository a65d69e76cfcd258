import type { UnusualCase } from '../suite/case.ts';
import { CREATION } from './creation.ts';
import { DELETES } from './deletes.ts';
import { DESCRIPTORS } from './descriptors.ts';
import { DESTINATIONS } from './destinations.ts';
import { ERRORS } from './errors.ts';
import { FOLLOW_UPS } from './follow-ups.ts';
import { HTTP } from './http.ts';
import { LISTS } from './lists.ts';
import { NOTIFICATION } from './notification.ts';
import { PLACEHOLDER } from './placeholder.ts';
import { PROCESSING } from './processing.ts';
import { PUBLICATION } from './publication.ts';
import { SITE } from './site.ts';
import { TITLES } from './titles.ts';
import { TOKENS } from './tokens.ts';

/** Every case, by area. */
export const ALL_CASES: readonly UnusualCase[] = [
  ...CREATION,
  ...PLACEHOLDER,
  ...TITLES,
  ...LISTS,
  ...TOKENS,
  ...ERRORS,
  ...HTTP,
  ...DESCRIPTORS,
  ...DESTINATIONS,
  ...NOTIFICATION,
  ...PROCESSING,
  ...PUBLICATION,
  ...FOLLOW_UPS,
  ...DELETES,
  ...SITE,
];
