import { MEDIA_FILES } from '../../shared/contract/content-address.ts';
import { APP_ORIGIN } from './asset-lookup.ts';

/**
 * The sources from which our own pages may load: the built files, and the files of items, which the shell serves from our own
 * origin. Connections lead only to these files, for pictures that the page decodes itself and for waveforms: all other data comes
 * through the bridge. Workers are built files with the same policy; the trusted types of the page allow only the worker for waveforms.
 * There is no inline style, because positions and sizes are set through the style object of an element, which the policy allows.
 */
const DIRECTIVES: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'media-src': "'self'",
  'font-src': "'self'",
  'connect-src': MEDIA_FILES,
  // With the parts that the worker imports.
  'worker-src': `${APP_ORIGIN}/assets/`,
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'object-src': "'none'",
  'require-trusted-types-for': "'script'",
  // The only allowed policy is that of renderer/trusted-types.ts.
  'trusted-types': 'default',
};

export const CONTENT_SECURITY_POLICY = Object.entries(DIRECTIVES)
  .map(([name, value]) => `${name} ${value}`)
  .join('; ');
