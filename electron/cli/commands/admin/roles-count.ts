import type { Permission } from '../../../../shared/api/permission-sets.ts';
import { counted } from '../../admin/admin-outcome.ts';
import { noOperands, optionText } from '../../arguments/options.ts';
import { currentSite } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT } from '../../output/exit-codes.ts';
import { readPermissions } from './roles.ts';

export const adminRolesCountCommand = defineEngineCommand<{ permissions: Permission[] }>({
  name: 'admin roles count',
  operands: '',
  summary: 'Count the roles of the library.',
  options: { permissions: { value: 'LIST', help: 'Only roles with all of these permissions, separated by commas.' } },
  read(values, operands) {
    noOperands(operands);
    const text = optionText(values, 'permissions');
    return { permissions: text === null ? [] : readPermissions(text) };
  },
  async run(context, { permissions }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const { count } = await engine.call('admin.countRoles', { siteId, permissions });
    output.record({ count });
    output.line(`${counted(count, 'role')}.`);
    return EXIT.complete;
  },
});
