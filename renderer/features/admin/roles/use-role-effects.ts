import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { CallOutput } from '../../../../shared/contract/contract.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { useAdminLoaded } from '../state/use-admin-rows.ts';

export interface RoleEffects {
  /** What the permissions mean for people; null until the answer about exactly these has arrived. */
  effects: CallOutput<'access.effects'> | null;
  /** Why there is no answer. */
  error: AppErrorData | null;
  /** Asks again. */
  load: () => void;
}

/** Asks the engine what it means for people when a role has these permissions, and again after each change. */
export function useRoleEffects(roleId: string, permissions: readonly string[]): RoleEffects {
  const { value, error, load } = useAdminLoaded(JSON.stringify([roleId, ...permissions]), (siteId) =>
    call('access.effects', { siteId, change: { kind: 'role', roleId, permissions: [...permissions] } }),
  );
  // After a failure, the earlier answer may not be true any more.
  return { effects: error === null ? value : null, error, load: () => void load() };
}
