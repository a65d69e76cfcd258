import { z } from 'zod';
import { readSecret, type SecretSource } from '../secrets/secret-source.ts';

/** The fields of a configuration that name the place of a secret: `STEM_env` or `STEM_file`, of which one is given. */
export const secretEnv = z
  .string()
  .regex(/^[A-Za-z_]\w{0,100}$/, 'must be the name of an environment variable')
  .optional();
export const secretFile = z.string().min(1).max(1000).optional();

/** Returns the check that a section names exactly one place of a secret. */
export function namesOnePlace(stem: string) {
  return (section: object, context: z.RefinementCtx): void => {
    if (placeIn(section, stem) !== undefined) return;
    const message = `must have either ${stem}_env or ${stem}_file`;
    context.addIssue({ code: 'custom', message, path: [`${stem}_env`] });
  };
}

/** Returns the check that a section names exactly one place of a secret, and that `read` can read it there. */
export function hasSecret(stem: string, read: (source: SecretSource) => string = readSecret) {
  const namesOne = namesOnePlace(stem);
  return (section: object, context: z.RefinementCtx): void => {
    namesOne(section, context);
    const place = placeIn(section, stem);
    if (place === undefined) return;
    try {
      read(place);
    } catch (error) {
      const path = [`${stem}_${place.file === undefined ? 'env' : 'file'}`];
      context.addIssue({ code: 'custom', message: (error as Error).message, path });
    }
  };
}

function placeIn(section: object, stem: string): SecretSource | undefined {
  const { [`${stem}_env`]: env, [`${stem}_file`]: file } = section as Record<string, string | undefined>;
  return (env === undefined) === (file === undefined) ? undefined : { env, file };
}
