import { resolve } from 'node:path';
import { findPerson } from '../../admin/find-person.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { currentSite } from '../../command-base/context.ts';
import { CHANGING_INTERRUPTED, defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT } from '../../output/exit-codes.ts';

/** Sets the picture that the library shows of a user. */
export const adminUsersPictureCommand = defineEngineCommand({
  name: 'admin users picture',
  operands: 'PERSON FILE',
  summary: 'Set the picture of a user. You can replace it later, but not remove it.',
  options: {},
  read(_values, [ref = '', file = '', ...more]) {
    if (ref === '' || file === '') throw new UsageError('Enter a user and a PNG or JPEG file.');
    if (more.length > 0) throw new UsageError(`Unexpected argument: ${more[0]}`);
    return { ref, path: resolve(file) };
  },
  interruptedText: CHANGING_INTERRUPTED,
  async run(context, { ref, path }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const { id: userId, name } = await findPerson(engine, siteId, ref);
    await engine.call('admin.setPicture', { siteId, userId, picture: { path } });
    output.record({ picture: { userId, path } });
    output.line(`Set the picture of “${name}”.`);
    return EXIT.complete;
  },
});
