import { Message, type MessageBus, MessageType, sessionBus } from '@jellybrick/dbus-next';

/** What this program asks of the D-Bus session bus of a Linux desktop. */
export interface SessionBus {
  /** Returns whether a program owns the name. False when the bus does not answer. */
  hasOwner(name: string): Promise<boolean>;
  /** Reads a property; undefined when the program does not exist, has no such property, or does not answer in time. */
  property(at: { name: string; path: string; interface: string; property: string }): Promise<unknown>;
  /** Calls `listener` when the owner of the name changes, and at each signal of the interface. Returns its end. */
  watch(name: string, iface: string, listener: () => void): () => void;
  close(): void;
}

/** A program that does not answer within this time counts as absent. */
const ANSWER_WITHIN_MS = 2000;
const BUS = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', interface: 'org.freedesktop.DBus' };

/**
 * Connects to the session bus. Null: this system has none. A lost connection has the effect of a bus without programs, and calls
 * `onLost`.
 */
export function connectSessionBus(env: NodeJS.ProcessEnv, onLost: (reason: string) => void): SessionBus | null {
  if (!env.DBUS_SESSION_BUS_ADDRESS) return null;
  let bus: MessageBus;
  try {
    bus = sessionBus({ busAddress: env.DBUS_SESSION_BUS_ADDRESS });
  } catch (error) {
    onLost(String(error));
    return null;
  }
  let isLost = false;
  const watches = new Set<() => void>();
  const lose = (reason: string) => {
    if (isLost) return;
    isLost = true;
    onLost(reason);
    for (const listener of watches) listener();
  };
  const events: NodeJS.EventEmitter = bus;
  events.on('error', (error: unknown) => lose(String(error)));

  /** Returns the first value of the answer; undefined without an answer. */
  const ask = async (message: Message): Promise<unknown> => {
    if (isLost) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), ANSWER_WITHIN_MS);
    });
    try {
      const answer = await Promise.race([bus.call(message).catch(() => undefined), late]);
      return answer?.body[0];
    } finally {
      clearTimeout(timer);
    }
  };
  const onBus = (member: string, ...body: string[]) =>
    ask(new Message({ ...BUS, member, signature: 's'.repeat(body.length), body }));

  return {
    hasOwner: async (name) => (await onBus('NameHasOwner', name)) === true,
    async property({ name, path, interface: iface, property }) {
      const answer = await ask(
        new Message({
          destination: name,
          path,
          interface: 'org.freedesktop.DBus.Properties',
          member: 'Get',
          signature: 'ss',
          body: [iface, property],
        }),
      );
      return (answer as { value?: unknown } | undefined)?.value;
    },
    watch(name, iface, listener) {
      const onMessage = (message: Message) => {
        if (message.type !== MessageType.SIGNAL) return;
        const isOwner = message.member === 'NameOwnerChanged' && message.body[0] === name;
        if (isOwner || message.interface === iface) listener();
      };
      events.on('message', onMessage);
      watches.add(listener);
      void onBus('AddMatch', `type='signal',interface='${BUS.interface}',member='NameOwnerChanged',arg0='${name}'`);
      void onBus('AddMatch', `type='signal',interface='${iface}'`);
      return () => {
        events.off('message', onMessage);
        watches.delete(listener);
      };
    },
    close() {
      isLost = true;
      bus.disconnect();
    },
  };
}
