import { Notification } from 'electron';

export interface NotificationTexts {
  title: string;
  body: string;
}

/** Notifications whose click is still possible. Electron forgets the listeners of an object that nothing holds. */
const held = new Set<Notification>();
const MOST_HELD = 50;

/** Shows a notification of the system, without a sound. Does nothing where the desktop shows none. */
export function showNotification(
  { title, body }: NotificationTexts,
  onClick: () => void,
  onFailed: (error: unknown) => void,
): void {
  if (!Notification.isSupported()) return;
  const shown = new Notification({ title, body, silent: true });
  held.add(shown);
  const [oldest] = held;
  if (held.size > MOST_HELD && oldest !== undefined) held.delete(oldest);
  shown.once('click', () => {
    held.delete(shown);
    onClick();
  });
  shown.once('close', () => held.delete(shown));
  shown.once('failed', (_event, error) => {
    held.delete(shown);
    onFailed(error);
  });
  shown.show();
}
