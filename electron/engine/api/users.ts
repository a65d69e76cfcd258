import { type User, userSchema } from '../../../shared/api/people.ts';
import type { SiteClient } from './http-client.ts';
import { segment } from './links.ts';

/** GET /api2/users/<id>: for administrators only. */
export function getUser(client: SiteClient, id: string, signal?: AbortSignal): Promise<User> {
  return client.read(userSchema, `/api2/users/${segment(id)}`, undefined, signal);
}
