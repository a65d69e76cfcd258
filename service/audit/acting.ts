import { AsyncLocalStorage } from 'node:async_hooks';

/** The request that is being handled: whose changes are recorded. */
export interface Acting {
  /** null: no access token was sent. What the request changes may name the user. */
  userId: number | null;
  clientId: string | null;
  /** IP address of the client, as the service or its proxy saw it. */
  address: string;
  /** Method and template of the route, such as `POST /api2/media/:id`. */
  request: string;
}

const rehash = new AsyncLocalStorage<true>();
const current = new AsyncLocalStorage<Acting | undefined>();

/** Runs `work`, and everything that it starts, for a request. */
export function actingFor<Result>(acting: Acting, work: () => Result): Result {
  return current.run(acting, work);
}

/** Runs `work`, and everything that it starts, as work of the service itself, although a request starts it. */
export function actingForService<Result>(work: () => Result): Result {
  return current.run(undefined, work);
}

/** Runs `work`, which replaces the hash of a password by another hash of the same password: it is not recorded as a change of it. */
export function rehashing<Result>(work: () => Result): Result {
  return rehash.run(true, work);
}

export const isRehashing = (): boolean => rehash.getStore() === true;

/** Returns the request that is being handled; undefined for work of the service itself. */
export function actingNow(): Acting | undefined {
  return current.getStore();
}
