/**
 * The sources from which our own pages may load: the built files, and the files of items, which the shell serves from our own
 * origin. There is no connection of any kind, because data comes through the bridge, and no inline style, because positions and
 * sizes are set through the style object of an element, which the policy allows.
 */
const DIRECTIVES: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'media-src': "'self'",
  'font-src': "'self'",
  'connect-src': "'none'",
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
