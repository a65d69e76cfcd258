import type { FastifyInstance, FastifyPluginAsync } from 'fastify';

/** Makes a plugin of what registers routes and hooks, which then hold in a part of the application only. */
export function pluginOf(register: (scope: FastifyInstance) => void | Promise<void>): FastifyPluginAsync {
  return async (scope) => await register(scope);
}
