// The parts of a Linux desktop that Mediadesk talks to over D-Bus, on the session bus of a test.
import { interface as dbusInterface, Message, type MessageBus, sessionBus, Variant } from '@jellybrick/dbus-next';
import { startBus } from '../../../build/desktop/servers.ts';

const { Interface } = dbusInterface;

/** Exports an object. Its constructor hides what `configureMembers` set on its class behind members without a value. */
function serve(bus: MessageBus, path: string, served: InstanceType<typeof Interface>): void {
  for (const name of ['$properties', '$methods', '$signals'] as const) Reflect.deleteProperty(served, name);
  bus.export(path, served);
}

/** Connects to the session bus of the test. */
function testBus(): MessageBus {
  return sessionBus({ busAddress: process.env.DBUS_SESSION_BUS_ADDRESS ?? '' });
}

/** One line of the menu of a tray icon. */
interface MenuLine {
  id: number;
  label: string;
  isEnabled: boolean;
  isChecked: boolean;
}

export interface TrayPanel {
  /** The icons that programs registered. */
  items(): string[];
  /** The lines of the menu of the only icon. */
  menu(): Promise<MenuLine[]>;
  choose(label: string): Promise<void>;
  click(): Promise<void>;
  /** Ends like a panel that crashes. */
  close(): void;
}

const WATCHER = 'org.kde.StatusNotifierWatcher';

class Watcher extends Interface {
  readonly registered: string[] = [];
  IsStatusNotifierHostRegistered = true;
  ProtocolVersion = 0;
  sender = '';

  constructor() {
    super(WATCHER);
  }
  get RegisteredStatusNotifierItems(): string[] {
    return this.registered;
  }
  RegisterStatusNotifierItem(service: string): void {
    this.registered.push(service);
    this.StatusNotifierItemRegistered(service);
  }
  RegisterStatusNotifierHost(_service: string): void {
    // This panel is the only host.
  }
  StatusNotifierItemRegistered(service: string): string {
    return service;
  }
}
Watcher.configureMembers({
  properties: {
    RegisteredStatusNotifierItems: { signature: 'as', access: 'read' },
    IsStatusNotifierHostRegistered: { signature: 'b', access: 'read' },
    ProtocolVersion: { signature: 'i', access: 'read' },
  },
  methods: {
    RegisterStatusNotifierItem: { inSignature: 's' },
    RegisterStatusNotifierHost: { inSignature: 's' },
  },
  signals: { StatusNotifierItemRegistered: { signature: 's' } },
});

/** Starts a panel that shows tray icons. Without `hasHost` it only knows them, as GNOME's leftovers do. */
export async function startTrayPanel(hasHost = true): Promise<TrayPanel> {
  const bus = testBus();
  const watcher = new Watcher();
  watcher.IsStatusNotifierHostRegistered = hasHost;
  /** The connection and the object of each icon. */
  const senders: { sender: string; path: string }[] = [];
  const events: NodeJS.EventEmitter = bus;
  events.on('message', (message: Message) => {
    if (message.member !== 'RegisterStatusNotifierItem') return;
    const service = String(message.body[0]);
    const path = service.startsWith('/') ? service : '/StatusNotifierItem';
    senders.push({ sender: service.startsWith('/') ? message.sender : service, path });
  });
  serve(bus, '/StatusNotifierWatcher', watcher);
  await bus.requestName(WATCHER, 0);

  const ask = async (to: { sender: string; path: string }, iface: string, member: string, ...rest: unknown[]) => {
    const [signature = '', ...body] = rest as [string?, ...unknown[]];
    const answer = await bus.call(
      new Message({ destination: to.sender, path: to.path, interface: iface, member, signature, body }),
    );
    return answer?.body ?? [];
  };
  const icon = () => {
    const last = senders.at(-1);
    if (last === undefined) throw new Error('No program has registered a tray icon.');
    return last;
  };
  const menuAt = async () => {
    const [value] = await ask(
      icon(),
      'org.freedesktop.DBus.Properties',
      'Get',
      'ss',
      'org.kde.StatusNotifierItem',
      'Menu',
    );
    return { sender: icon().sender, path: String((value as Variant).value) };
  };
  type Node = [number, Record<string, Variant>, Variant<Node>[]];
  const menu = async (): Promise<MenuLine[]> => {
    const [, root] = (await ask(await menuAt(), 'com.canonical.dbusmenu', 'GetLayout', 'iias', 0, -1, [])) as [
      number,
      Node,
    ];
    return root[2].map(({ value: [id, facts] }) => ({
      id,
      label: String(facts.label?.value ?? ''),
      isEnabled: facts.enabled?.value !== false,
      isChecked: facts['toggle-state']?.value === 1,
    }));
  };
  return {
    items: () => senders.map(({ sender }) => sender),
    menu,
    async choose(label) {
      const line = (await menu()).find((each) => each.label === label);
      if (line === undefined) throw new Error(`The tray menu has no “${label}”.`);
      await ask(await menuAt(), 'com.canonical.dbusmenu', 'Event', 'isvu', line.id, 'clicked', new Variant('i', 0), 0);
    },
    async click() {
      await ask(icon(), 'org.kde.StatusNotifierItem', 'Activate', 'ii', 0, 0);
    },
    close: () => bus.disconnect(),
  };
}

interface ShownNotification {
  id: number;
  title: string;
  body: string;
  /** 0: low, 1: normal, 2: critical; null: the program named none, which means normal. */
  urgency: number | null;
  /** Whether the program asked for a sound. */
  hasSound: boolean;
}

export interface NotificationDaemon {
  shown: ShownNotification[];
  /** Clicks a notification. */
  click(id: number): void;
  close(): void;
}

type Hints = Readonly<Record<string, Variant>>;

class Notifications extends Interface {
  readonly shown: ShownNotification[] = [];

  constructor() {
    super('org.freedesktop.Notifications');
  }
  Notify(...[, , , title, body, , hints]: [string, number, string, string, string, string[], Hints, number]): number {
    const id = this.shown.length + 1;
    const urgency = hints.urgency?.value;
    const hasSound = hints['sound-name'] !== undefined || hints['sound-file'] !== undefined;
    this.shown.push({ id, title, body, urgency: typeof urgency === 'number' ? urgency : null, hasSound });
    return id;
  }
  CloseNotification(_id: number): void {
    // Nothing stays on this screen.
  }
  GetCapabilities(): string[] {
    return ['body', 'actions'];
  }
  GetServerInformation(): string[] {
    return ['test', 'Mediadesk', '1', '1.2'];
  }
  ActionInvoked(id: number): unknown[] {
    return [id, 'default'];
  }
  NotificationClosed(id: number): unknown[] {
    return [id, 2];
  }
}
Notifications.configureMembers({
  methods: {
    Notify: { inSignature: 'susssasa{sv}i', outSignature: 'u' },
    CloseNotification: { inSignature: 'u' },
    GetCapabilities: { outSignature: 'as' },
    GetServerInformation: { outSignature: 'ssss' },
  },
  signals: { ActionInvoked: { signature: 'us' }, NotificationClosed: { signature: 'uu' } },
});

/** Starts a program that shows notifications. */
export async function startNotificationDaemon(): Promise<NotificationDaemon> {
  const bus = testBus();
  const daemon = new Notifications();
  serve(bus, '/org/freedesktop/Notifications', daemon);
  await bus.requestName('org.freedesktop.Notifications', 0);
  return {
    shown: daemon.shown,
    click(id) {
      daemon.ActionInvoked(id);
      daemon.NotificationClosed(id);
    },
    close: () => bus.disconnect(),
  };
}

export interface SleepInhibitor {
  /** The locks that are held now, and all that were ever taken. */
  held(): number;
  taken(): number;
  /** When the last one was given back, in milliseconds since 1970; null: none was. */
  releasedAtMs(): number | null;
  close(): void;
}

class SessionManager extends Interface {
  held = 0;
  taken = 0;
  releasedAtMs: number | null = null;

  constructor() {
    super('org.gnome.SessionManager');
  }
  Inhibit(_app: string, _window: number, _reason: string, _flags: number): number {
    this.held += 1;
    this.taken += 1;
    return this.taken;
  }
  Uninhibit(_cookie: number): void {
    this.held -= 1;
    this.releasedAtMs = Date.now();
  }
}
SessionManager.configureMembers({
  methods: {
    Inhibit: { inSignature: 'susu', outSignature: 'u' },
    Uninhibit: { inSignature: 'u' },
  },
});

/** Starts a session manager that keeps the computer awake. */
export async function startSessionManager(): Promise<SleepInhibitor> {
  const bus = testBus();
  const manager = new SessionManager();
  serve(bus, '/org/gnome/SessionManager', manager);
  await bus.requestName('org.gnome.SessionManager', 0);
  return {
    held: () => manager.held,
    taken: () => manager.taken,
    releasedAtMs: () => manager.releasedAtMs,
    close: () => bus.disconnect(),
  };
}

class LoginManager extends Interface {
  constructor() {
    super('org.freedesktop.login1.Manager');
  }
  PrepareForSleep(isBegin: boolean): boolean {
    return isBegin;
  }
  PrepareForShutdown(isBegin: boolean): boolean {
    return isBegin;
  }
}
LoginManager.configureMembers({
  signals: { PrepareForSleep: { signature: 'b' }, PrepareForShutdown: { signature: 'b' } },
});

export interface SleepingComputer {
  /** The address of the system bus, for `DBUS_SYSTEM_BUS_ADDRESS`. */
  address: string;
  sleep(): void;
  wake(): void;
  close(): Promise<void>;
}

/** Starts a system bus whose login manager reports when the computer goes to sleep and wakes. */
export async function startLoginManager(folder: string): Promise<SleepingComputer> {
  const daemon = await startBus(folder, process.env);
  const bus = sessionBus({ busAddress: daemon.address });
  const manager = new LoginManager();
  serve(bus, '/org/freedesktop/login1', manager);
  await bus.requestName('org.freedesktop.login1', 0);
  return {
    address: daemon.address,
    sleep: () => void manager.PrepareForSleep(true),
    wake: () => void manager.PrepareForSleep(false),
    async close() {
      bus.disconnect();
      await daemon.stop();
    },
  };
}
