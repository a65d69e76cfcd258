import { z } from 'zod';

/** An item of the library of an account. */
export const mediaRef = z.object({ siteId: z.string(), mediaId: z.string() });
export type MediaRef = z.output<typeof mediaRef>;
