import type { Json, JsonObject } from '../http/answer.ts';
import { Skip } from '../suite/failure.ts';

/**
 * An optional adapter, the only part of the suite that is specific to one server: the library service's control port,
 * for conditions that no API request can create.
 */
export interface Control {
  /** Runs an action with changed settings and always restores them. */
  under<T>(settings: JsonObject, act: () => Promise<T>): Promise<T>;
}

export function createControl(url: string, token: string): Control {
  async function ask(method: string, body?: Json): Promise<JsonObject> {
    const response = await fetch(`${url.replace(/\/+$/, '')}/settings`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status === 422) throw new Skip(`the control port does not know this setting: ${text.slice(0, 200)}`);
    if (!response.ok) throw new Error(`The control port answered ${response.status}: ${text.slice(0, 200)}`);
    return JSON.parse(text) as JsonObject;
  }

  return {
    async under(settings, act) {
      const before = await ask('GET');
      const restore = Object.fromEntries(Object.keys(settings).map((name) => [name, before[name]]));
      await ask('PATCH', settings);
      try {
        return await act();
      } finally {
        await ask('PATCH', restore);
      }
    },
  };
}
