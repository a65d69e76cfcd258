import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';

/** Returns an agent in the form in which `got` takes it. It is used for one address, whose protocol it has. */
export function agentsOf(agent: HttpAgent): { http: HttpAgent; https: HttpsAgent } {
  return { http: agent, https: agent as HttpsAgent };
}
