import { randomBytes } from 'node:crypto';
import { type Answer, clientWith, type ServiceClient } from './service-client.ts';
import { type SignInTarget, signIn } from './service-sign-in.ts';

/** A body that creates a user with default values. */
export function person(fields: Record<string, unknown> = {}) {
  const email_address = `p-${randomBytes(6).toString('hex')}@here.example`;
  return { is_admin: false, email_address, first_name: 'Pat', last_name: 'Doe', ...fields };
}

/** Creates a resource; resolves with the body of the answer, rejects when it was refused. */
export async function make(
  admin: ServiceClient,
  resource: 'users' | 'groups' | 'tags' | 'roles' | 'memberships',
  fields: Record<string, unknown> = {},
): Promise<Answer['body']> {
  const answer = await admin.post(`/api2/${resource}`, resource === 'users' ? person(fields) : fields);
  if (answer.status >= 300) throw new Error(`${resource} was not created: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** Creates a user and signs in as that user, who has no rights but those of `fields` and of everyone. */
export async function newcomer(
  service: SignInTarget,
  admin: ServiceClient,
  fields: Record<string, unknown> = {},
): Promise<{ id: string; client: ServiceClient }> {
  const password = 'a password of a newcomer';
  const { id, email_address } = await make(admin, 'users', { password, ...fields });
  return { id, client: clientWith(service, await signIn(service, { email: email_address, password })) };
}

/** The ids of a list, in its order. */
export async function idsOf(
  client: ServiceClient,
  path: string,
  query: Record<string, string> = {},
): Promise<string[]> {
  const answer = await client.get(`${path}?${new URLSearchParams(query)}`);
  if (answer.status !== 200) throw new Error(`${path} was refused: ${answer.status} ${answer.text}`);
  return answer.body.items.map((item: { id: string }) => item.id);
}
